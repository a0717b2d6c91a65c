// Laplace noise (Dwork, McSherry, Nissim and Smith 2006): 1 / noise_multiplier pure DP.
#include <cmath>
#include <utility>

#include "graphveil/kernels/noise_fill.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

double Release::spend_laplace(const std::string& label, const bound::Sensitivity& sensitivity,
                              double noise_multiplier) {
  const double scale = noise_multiplier * sensitivity.amount;
  require(std::isfinite(scale) && scale > 0, "noise of '{}' is {}, want a positive finite number", label, scale);
  spend(account::Event(label, account::Laplace{noise_multiplier}, sensitivity.sampling), sensitivity, bound::Norm::L1,
        scale);
  return scale;
}

Noisy<double> Release::laplace(const std::string& label, bound::Bounded<double> input, double noise_multiplier) {
  const double scale = spend_laplace(label, input.sensitivity(), noise_multiplier);
  RandomStream random(seed_, "noise/" + label, point_.draws++);
  return {input.value_ + scale * random.laplace(), scale};
}

Noisy<Matrix> Release::laplace(const std::string& label, bound::Bounded<Matrix> input, double noise_multiplier) {
  const double scale = spend_laplace(label, input.sensitivity(), noise_multiplier);
  Matrix value = std::move(input.value_);
  const std::string purpose = "noise/" + label;
  kernels::fill_laplace(value, scale, {seed_, purpose, point_.draws++}, kernels::Into::Add);
  return {std::move(value), scale};
}

}  // namespace graphveil::mechanism
