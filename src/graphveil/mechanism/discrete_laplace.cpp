// Discrete Laplace noise on a whole number (Ghosh, Roughgarden and Sundararajan 2009): 1 / noise_multiplier pure DP.
#include <span>
#include <utility>

#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

Noisy<int64_t> Release::discrete_laplace(const std::string& label, bound::Bounded<int64_t> input) {
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<account::DiscreteLaplace>(planned);
  const double scale = noise_scale(planned);
  int64_t value = input.value_;
  if (observer_ != nullptr) observer_->saw(label, {static_cast<double>(value)}, 1, input.sensitivity());
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    kernels::add_discrete_laplace(std::span<int64_t>(&value, 1), kernels::exact_rational(scale),
                                  {seed_, name, point_.draws++});
  }
  return finish(label, value, scale);
}

}  // namespace graphveil::mechanism
