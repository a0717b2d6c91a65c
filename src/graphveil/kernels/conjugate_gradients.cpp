#include "graphveil/kernels/conjugate_gradients.h"

#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/gram.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kRowGrain = 256;

// out_c += scales[c] x_c for every column; or out_c = x_c + scales[c] out_c.
enum class Update { AddScaled, ScaleAndAdd };
void update_columns(ConstMatrixView x, const std::vector<double>& scales, MatrixView out, Update update) {
  parallel_for(x.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Real* from = x.row(r).data();
      Real* to = out.row(r).data();
      for (int64_t c = 0; c < x.cols; ++c) {
        const auto scale = static_cast<Real>(scales[c]);
        to[c] = update == Update::AddScaled ? to[c] + scale * from[c] : from[c] + scale * to[c];
      }
    }
  });
}

}  // namespace

Matrix ridge_regression(const LinearMap& map, ConstMatrixView targets, const RidgeOptions& options) {
  require(options.ridge > 0, "ridge is {}, want more than 0", options.ridge);
  require(targets.rows == map.rows, "{} targets for {} rows", targets.rows, map.rows);
  const int64_t k = targets.cols;
  const std::vector<double> ridge(static_cast<size_t>(k), options.ridge);
  Matrix solution(map.cols, k);
  Matrix residual = Matrix::uninitialized(map.cols, k), curved = Matrix::uninitialized(map.cols, k);
  Matrix between = Matrix::uninitialized(map.rows, k);
  map.apply_transposed(targets, residual);
  Matrix direction = residual.clone();
  std::vector<double> squares = column_dots(residual, residual);
  std::vector<double> goal = squares;
  for (double& g : goal) g *= options.tolerance * options.tolerance;

  std::vector<double> step(static_cast<size_t>(k)), back(static_cast<size_t>(k)), turn(static_cast<size_t>(k));
  for (int64_t i = 0; i < options.max_steps; ++i) {
    bool done = true;
    for (int64_t c = 0; c < k; ++c) done = done && squares[c] <= goal[c];
    if (done) break;
    map.apply(direction, between);
    map.apply_transposed(between, curved);
    update_columns(direction, ridge, curved, Update::AddScaled);
    const std::vector<double> curvature = column_dots(direction, curved);
    for (int64_t c = 0; c < k; ++c) {
      // A finished column stands still.
      step[c] = squares[c] > goal[c] ? squares[c] / curvature[c] : 0;
      back[c] = -step[c];
    }
    update_columns(direction, step, solution, Update::AddScaled);
    update_columns(curved, back, residual, Update::AddScaled);
    const std::vector<double> now = column_dots(residual, residual);
    for (int64_t c = 0; c < k; ++c) turn[c] = squares[c] > goal[c] ? now[c] / squares[c] : 0;
    update_columns(residual, turn, direction, Update::ScaleAndAdd);
    squares = now;
  }
  return solution;
}

}  // namespace graphveil::kernels
