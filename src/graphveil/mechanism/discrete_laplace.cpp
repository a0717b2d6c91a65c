// Discrete Laplace noise on whole numbers (Ghosh, Roughgarden and Sundararajan 2009): 1 / noise_multiplier pure DP.
// Noise of scale b on every entry: moving the entries by whole numbers of sum L1 changes the probability of any outcome
// by a factor of at most exp(L1 / b).
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
    kernels::add_discrete_laplace(std::span<int64_t>(&value, 1), kernels::exact_rational(drawn_scale(planned)),
                                  {seed_, name, point_.draws++});
  }
  return finish(label, value, scale);
}

Noisy<IntegerMatrix<int64_t>> Release::discrete_laplace(const std::string& label,
                                                        bound::Bounded<bound::CountMatrix> input) {
  return with_whole_noise<account::DiscreteLaplace>(
      label, std::move(input),
      [](std::span<int64_t> values, double scale, const kernels::StreamName& stream, int64_t first) {
        kernels::add_discrete_laplace(values, kernels::exact_rational(scale), stream, first);
      });
}

}  // namespace graphveil::mechanism
