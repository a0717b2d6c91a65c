// Discrete Gaussian noise on whole numbers (Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
// Privacy", 2020): 1 / (2 noise_multiplier^2)-zCDP.
#include <span>
#include <utility>

#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

// The variance of noise of this deviation as an exact ratio: never less, whatever the two products lose to rounding.
kernels::Rational variance_of(double stddev) { return kernels::exact_rational(stddev * stddev * (1 + 0x1p-50)); }

}  // namespace

Noisy<IntegerMatrix<int64_t>> Release::discrete_gaussian(const std::string& label,
                                                         bound::Bounded<bound::CountMatrix> input) {
  return with_whole_noise<account::DiscreteGaussian>(
      label, std::move(input),
      [](std::span<int64_t> values, double stddev, const kernels::StreamName& stream, int64_t first) {
        kernels::add_discrete_gaussian(values, variance_of(stddev), stream, first);
      });
}

}  // namespace graphveil::mechanism
