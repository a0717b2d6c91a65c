// Laplace noise (Dwork et al. 2006), rounded to the grid of the value.
#include <utility>

#include "graphveil/kernels/grid_noise.h"
#include "graphveil/kernels/grid_rows.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

Noisy<Matrix> Release::laplace(const std::string& label, bound::Bounded<bound::GridMatrix> input) {
  const bound::Norm norm = input.sensitivity().norm;
  require(norm == bound::Norm::L1 || norm == bound::Norm::LInf,
          "'{}' is bounded in {}, want L1, or LInf for each entry", label, bound::name(norm));
  const PlanLine& planned =
      spend(label, input.sensitivity(), norm == bound::Norm::LInf ? input.value_.values.size() : 1);
  planned_as<account::Laplace>(planned);
  bound::GridMatrix grid = std::move(input.value_);
  require(grid.step == this->grid(label), "'{}' lies on a grid of step {}, want {}", label, grid.step,
          this->grid(label));
  // Ranks would draw the same noise for other rows.
  if (grid.part) fail(ErrorKind::Unsupported, "'{}' has Laplace noise, which ranks cannot share out", label);
  const double scale = noise_scale(planned);
  if (observer_ != nullptr) {
    std::vector<double> values(grid.values.values().begin(), grid.values.values().end());
    for (double& value : values) value *= grid.step;
    observer_->saw(label, values, grid.values.rows(), input.sensitivity());
  }
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    kernels::add_laplace(grid.values.values(), drawn_scale(planned) / grid.step, {seed_, name, point_.draws++});
  }
  Matrix out = Matrix::uninitialized(grid.values.rows(), grid.values.cols());
  kernels::from_grid(grid.values, grid.step, out);
  return finish(label, std::move(out), scale);
}

}  // namespace graphveil::mechanism
