// Discrete Gaussian noise on whole numbers (Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
// Privacy", 2020): 1 / (2 noise_multiplier^2)-zCDP.
#include <utility>

#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

// The variance of noise of this deviation as an exact ratio: never less, whatever the two products lose to rounding.
kernels::Rational variance_of(double stddev) { return kernels::exact_rational(stddev * stddev * (1 + 0x1p-50)); }

}  // namespace

Noisy<IntegerMatrix<int64_t>> Release::discrete_gaussian(const std::string& label,
                                                         bound::Bounded<IntegerMatrix<int64_t>> input) {
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<account::DiscreteGaussian>(planned);
  const double stddev = noise_scale(planned);
  IntegerMatrix<int64_t> counts = std::move(input.value_);
  if (observer_ != nullptr) {
    observer_->saw(label, {counts.values().begin(), counts.values().end()}, counts.rows(), input.sensitivity());
  }
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    kernels::add_discrete_gaussian(counts.values(), variance_of(stddev), {seed_, name, point_.draws++});
  }
  return finish(label, std::move(counts), stddev);
}

}  // namespace graphveil::mechanism
