#include "graphveil/kernels/grid_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/grid_rows.h"
#include "graphveil/kernels/isa/levels.h"

namespace graphveil::kernels {
namespace {

__extension__ using Wide = unsigned __int128;

void check_step(double step) {
  int exponent = 0;
  require(step > 0 && std::isfinite(step) && std::frexp(step, &exponent) == 0.5 && exponent > -100 && exponent < 100,
          "step of the grid is {}, want a power of two between 2^-100 and 2^98", step);
}

// Whether the squares add up to at most `limit`; at most 2^30 entries of at most 2^31.
bool within(const int32_t* numbers, int64_t count, int64_t limit) {
  Wide sum = 0;
  for (int64_t c = 0; c < count; ++c) {
    const int64_t n = numbers[c];
    sum += static_cast<uint64_t>(n * n);
  }
  return sum <= static_cast<Wide>(limit);
}

void row_to_grid(const isa::GridRowsKernels& kernels, const Real* row, int64_t cols, double radius, int64_t limit,
                 double steps_per_unit, int32_t* out) {
  const double square = kernels.sum_of_squares(row, cols);
  if (!std::isfinite(square)) {
    std::fill_n(out, cols, 0);
    return;
  }
  const double length = std::sqrt(square) * steps_per_unit;
  double factor = length > radius ? steps_per_unit * (radius / length) : steps_per_unit;
  // A sum in doubles is within 2^-52 relative for each term and each addition; far more room than that is asked for,
  // else whole numbers decide. Rounding toward zero nearly always leaves it.
  const double surely = static_cast<double>(limit) * (1 - (static_cast<double>(cols) + 8) * 0x1p-50);
  for (double less = 0x1p-45; kernels.round_down(row, cols, factor, out) > surely && !within(out, cols, limit);
       less *= 2) {
    if (less > 0.5) {
      std::fill_n(out, cols, 0);
      return;
    }
    factor *= 1 - less;
  }
}

template <typename T>
void multiply(ConstIntegerMatrixView<T> grid, double step, MatrixView out) {
  check_step(step);
  assert(grid.rows == out.rows && grid.cols == out.cols);
  const auto factor = static_cast<Real>(step);
  parallel_for(grid.rows, rows_per_piece(grid.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const T* in = grid.data + r * grid.stride;
      Real* target = out.data + r * out.stride;
      // The conversion rounds; the product with a power of two does not.
      for (int64_t c = 0; c < grid.cols; ++c) target[c] = static_cast<Real>(in[c]) * factor;
    }
  });
}

}  // namespace

int64_t squared_norm_limit(double max_norm, double step) {
  check_step(step);
  const double radius = max_norm / step;
  require(radius > 0 && radius <= 0x1p30, "norm of {} is {} steps of the grid, want more than 0, at most 2^30",
          max_norm, radius);
  // radius = digits 2^exponent, so its square has at most 106 bits before the shift.
  int exponent = 0;
  const auto digits = static_cast<uint64_t>(std::ldexp(std::frexp(radius, &exponent), 53));
  const int shift = 2 * (53 - exponent);
  return shift >= 128 ? 0 : static_cast<int64_t>((Wide{digits} * digits) >> shift);
}

void to_grid(ConstMatrixView rows, double max_norm, double step, IntegerMatrixView<int32_t> out) {
  const int64_t limit = squared_norm_limit(max_norm, step);
  assert(rows.rows == out.rows && rows.cols == out.cols);
  const isa::GridRowsKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kGridRows);
  parallel_for(rows.rows, rows_per_piece(rows.cols * 2), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      row_to_grid(kernels, rows.data + r * rows.stride, rows.cols, max_norm / step, limit, 1 / step,
                  out.data + r * out.stride);
    }
  });
}

void from_grid(ConstIntegerMatrixView<int32_t> grid, double step, MatrixView out) { multiply(grid, step, out); }

void from_grid(ConstIntegerMatrixView<int64_t> grid, double step, MatrixView out) { multiply(grid, step, out); }

}  // namespace graphveil::kernels
