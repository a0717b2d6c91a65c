// Laplace noise (Dwork, McSherry, Nissim and Smith 2006), rounded to whole numbers: 1 / noise_multiplier pure DP.
#include <cmath>
#include <utility>

#include "graphveil/kernels/grid_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

Noisy<int64_t> Release::laplace(const std::string& label, bound::Bounded<int64_t> input) {
  const PlanLine& planned = spend(label, input.sensitivity());
  mechanism_of<account::Laplace>(planned);
  const double scale = noise_scale(planned);
  int64_t value = input.value_;
  if (observer_ != nullptr) observer_->saw(label, {static_cast<double>(value)}, 1, input.sensitivity());
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    kernels::add_laplace(std::span<int64_t>(&value, 1), scale, {seed_, name, point_.draws++});
  }
  return finish(label, value, scale);
}

}  // namespace graphveil::mechanism
