// Gaussian noise (Dwork et al. 2006; exactly mu-GDP with mu = 1 / noise_multiplier, Dong, Roth and Su 2019).
#include <cmath>
#include <utility>

#include "graphveil/kernels/noise_fill.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

Noisy<Matrix> Release::gaussian(const std::string& label, bound::Bounded<Matrix> input, double noise_multiplier) {
  const bound::Sensitivity sensitivity = input.sensitivity();
  const double stddev = noise_multiplier * sensitivity.amount;
  require(std::isfinite(stddev) && stddev > 0, "noise of '{}' is {}, want a positive finite number", label, stddev);
  spend(account::Event(label, account::Gaussian{noise_multiplier}, sensitivity.sampling), sensitivity, bound::Norm::L2,
        stddev);
  Matrix value = std::move(input.value_);
  const std::string purpose = "noise/" + label;
  kernels::fill_gaussian(value, stddev, {seed_, purpose, point_.draws++}, kernels::Into::Add);
  return {std::move(value), stddev};
}

Noisy<std::vector<double>> Release::gaussian(const std::string& label, bound::Bounded<std::vector<double>> input,
                                             double noise_multiplier) {
  std::vector<double> value = std::move(input.value_);
  bound::Bounded<Matrix> zero(Matrix(1, static_cast<int64_t>(value.size())), input.sensitivity());
  const Noisy<Matrix> noise = gaussian(label, std::move(zero), noise_multiplier);
  for (size_t i = 0; i < value.size(); ++i) value[i] += static_cast<double>(noise.value().data()[i]);
  return {std::move(value), noise.noise_scale()};
}

}  // namespace graphveil::mechanism
