// Gaussian noise (Dwork et al. 2006; exactly mu-GDP with mu = 1 / noise_multiplier, Dong, Roth and Su 2019), rounded to
// the grid of the value.
#include <cmath>
#include <utility>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grid_noise.h"
#include "graphveil/kernels/grid_rows.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

constexpr int64_t kGrain = 1 << 14;

std::vector<double> in_units(std::span<const int64_t> steps, double step) {
  std::vector<double> values(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) values[i] = static_cast<double>(steps[i]) * step;
  return values;
}

}  // namespace

Noisy<Matrix> Release::gaussian(const std::string& label, bound::Bounded<bound::GridMatrix> input) {
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<account::Gaussian>(planned);
  bound::GridMatrix grid = std::move(input.value_);
  const double stddev = noise_scale(planned);
  require(grid.step == this->grid(label), "'{}' lies on a grid of step {}, want {}", label, grid.step,
          this->grid(label));
  if (observer_ != nullptr) {
    observer_->saw(label, in_units(grid.values.values(), grid.step), grid.values.rows(), input.sensitivity());
  }
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    kernels::add_gaussian(grid.values.values(), drawn_scale(planned) / grid.step, {seed_, name, point_.draws++},
                          grid.first_row * grid.values.cols());
  }
  Matrix out = Matrix::uninitialized(grid.values.rows(), grid.values.cols());
  kernels::from_grid(grid.values, grid.step, out);
  return finish(label, std::move(out), stddev);
}

Noisy<std::vector<double>> Release::gaussian(const std::string& label, bound::Bounded<bound::GradientSum> input) {
  const PlanLine& planned = spend(label, input.sensitivity());
  planned_as<account::Gaussian>(planned);
  std::vector<double> sum = std::move(input.value_.values);
  const double step = input.value_.step, stddev = noise_scale(planned);
  if (observer_ != nullptr) observer_->saw(label, sum, 1, input.sensitivity());
  if (door_ == Door::Private) {
    // The sum is a whole number of steps already, and so is what comes out: multiplying with a power of two is exact.
    const auto size = static_cast<int64_t>(sum.size());
    const double per_step = 1 / step;
    IntegerMatrix<int64_t> steps(1, size);
    parallel_for(size, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        steps.data()[i] = static_cast<int64_t>(sum[static_cast<size_t>(i)] * per_step);
      }
    });
    const std::string name = purpose(label);
    kernels::add_gaussian(steps.values(), drawn_scale(planned) / step, {seed_, name, point_.draws++});
    parallel_for(size, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) sum[static_cast<size_t>(i)] = static_cast<double>(steps.data()[i]) * step;
    });
  }
  return finish(label, std::move(sum), stddev);
}

}  // namespace graphveil::mechanism
