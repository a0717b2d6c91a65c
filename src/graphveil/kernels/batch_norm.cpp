#include "graphveil/kernels/batch_norm.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/piece_sums.h"

namespace graphveil::kernels {
namespace {

const isa::ColumnKernels& kernels() { return GRAPHVEIL_AT_LEVEL(isa::kColumns); }

isa::ColumnRows rows_from(ConstMatrixView x, int64_t row) { return {x.data + row * x.stride, x.stride}; }

// Two sums per column, of first one and then the other. `add` adds a piece's terms.
template <typename AddPiece>
void sum_pairs(int64_t rows, int64_t cols, std::span<double> totals, const SharedRows* shared, AddPiece add) {
  std::ranges::fill(totals, 0.0);
  sum_pieces(rows, rows_per_piece(cols), totals, shared,
             [&](int64_t begin, int64_t count, double* sums, bool) { add(begin, count, sums, sums + cols); });
}

// A few rows, so that what one pass wrote the next finds in the inner cache.
template <typename Body>
void each_piece(ConstMatrixView x, Body body) {
  constexpr int64_t kEntries = 4096;
  parallel_for(x.rows, rows_per_piece(x.cols, kEntries), [&](int64_t begin, int64_t end) { body(begin, end - begin); });
}

}  // namespace

void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance, const SharedRows* shared) {
  const auto cols = static_cast<size_t>(x.cols);
  assert((x.rows >= 1 || shared != nullptr) && mean.size() == cols && variance.size() == cols);
  thread_local std::vector<double> sum_memory;
  thread_local std::vector<Real> shift_memory;
  std::vector<double>& sums = sum_memory;
  std::vector<Real>& shift = shift_memory;
  sums.resize(2 * cols);
  // Differences from the first row: their squares lose no digits where squares of values would.
  shift.assign(cols, Real(0));
  if (x.rows > 0) std::ranges::copy(x.row(0), shift.begin());
  if (shared != nullptr) shared->tell_first(std::span(shift));
  sum_pairs(x.rows, x.cols, sums, shared, [&](int64_t begin, int64_t count, double* sum, double* squares) {
    kernels().add_moments(rows_from(x, begin), count, x.cols, shift.data(), sum, squares);
  });
  const auto rows = static_cast<double>(shared != nullptr ? shared->all() : x.rows);
  for (size_t c = 0; c < cols; ++c) {
    const double difference = sums[c] / rows;
    mean[c] = double{shift[c]} + difference;
    variance[c] = std::max(0.0, sums[cols + c] / rows - difference * difference);
  }
}

void batch_normalize(ConstMatrixView x, const BatchNormColumns& columns, std::optional<Activation> activation,
                     MatrixView y) {
  thread_local std::vector<Real> memory;
  std::vector<Real>& scale = memory;
  scale.resize(columns.gamma.size());
  for (size_t c = 0; c < scale.size(); ++c) scale[c] = columns.gamma[c] * columns.inverse_stddev[c];
  each_piece(x, [&](int64_t begin, int64_t rows) {
    kernels().scale(rows_from(x, begin), rows, x.cols, columns.mean.data(), scale.data(), columns.beta.data(),
                    y.data + begin * y.stride, y.stride);
    if (activation) activate(*activation, y.rows_at(begin, rows), y.rows_at(begin, rows));
  });
}

void batch_norm_sums(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns,
                     const std::optional<Activated>& activated, std::span<Real> sum_g, std::span<Real> sum_gz,
                     const SharedRows* shared) {
  thread_local std::vector<double> memory;
  std::vector<double>& totals = memory;
  const auto cols = static_cast<size_t>(g.cols);
  totals.resize(2 * cols);
  sum_pairs(g.rows, g.cols, totals, shared, [&](int64_t begin, int64_t rows, double* sum, double* product) {
    ConstMatrixView piece = g.rows_at(begin, rows);
    if (activated) {
      const MatrixView before = activated->gradient.rows_at(begin, rows);
      activate_backward(activated->kind, activated->value.rows_at(begin, rows), piece, before);
      piece = before;
    }
    kernels().add_products(rows_from(piece, 0), rows_from(x, begin), rows, g.cols, columns.mean.data(), sum, product);
  });
  for (size_t c = 0; c < cols; ++c) {
    sum_g[c] = static_cast<Real>(totals[c]);
    sum_gz[c] = static_cast<Real>(totals[cols + c] * double{columns.inverse_stddev[c]});
  }
}

void batch_norm_backward(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns,
                         std::span<const Real> sum_g, std::span<const Real> sum_gz, Real share, MatrixView dx) {
  // dx = a g + b (x - mean) + c by column.
  thread_local std::vector<Real> memory;
  std::vector<Real>& factors = memory;
  const auto cols = static_cast<size_t>(g.cols);
  factors.resize(3 * cols);
  Real *a = factors.data(), *b = a + cols, *offset = b + cols;
  for (size_t c = 0; c < cols; ++c) {
    a[c] = columns.gamma[c] * columns.inverse_stddev[c];
    b[c] = -a[c] * share * sum_gz[c] * columns.inverse_stddev[c];
    offset[c] = -a[c] * share * sum_g[c];
  }
  each_piece(g, [&](int64_t begin, int64_t rows) {
    kernels().combine(rows_from(g, begin), rows_from(x, begin), rows, g.cols, a, columns.mean.data(), b, offset,
                      dx.data + begin * dx.stride, dx.stride);
  });
}

}  // namespace graphveil::kernels
