#include "graphveil/kernels/batch_norm.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/columns.h"
#include "graphveil/kernels/isa/levels.h"

namespace graphveil::kernels {
namespace {

const isa::ColumnKernels& kernels() { return GRAPHVEIL_AT_LEVEL(isa::kColumns); }

isa::ColumnRows rows_from(ConstMatrixView x, int64_t row) { return {x.data + row * x.stride, x.stride}; }

// totals = two sums per column, by pieces of fixed size that are added in their order. `add` adds a piece's terms.
template <typename AddPiece>
void sum_pairs(int64_t rows, int64_t cols, std::span<double> first, std::span<double> second, AddPiece add) {
  const int64_t grain = rows_per_piece(cols);
  const int64_t pieces = (rows + grain - 1) / grain;
  thread_local std::vector<double> memory;
  std::vector<double>& partial = memory;
  partial.assign(static_cast<size_t>(2 * pieces * cols), 0.0);
  parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
    double* sums = partial.data() + 2 * (begin / grain) * cols;
    add(begin, end - begin, sums, sums + cols);
  });
  for (int64_t c = 0; c < cols; ++c) {
    first[c] = second[c] = 0;
    for (int64_t p = 0; p < pieces; ++p) {
      first[c] += partial[2 * p * cols + c];
      second[c] += partial[(2 * p + 1) * cols + c];
    }
  }
}

// A few rows, so that what one pass wrote the next finds in the inner cache.
template <typename Body>
void each_piece(ConstMatrixView x, Body body) {
  constexpr int64_t kEntries = 4096;
  parallel_for(x.rows, rows_per_piece(x.cols, kEntries), [&](int64_t begin, int64_t end) { body(begin, end - begin); });
}

}  // namespace

void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance) {
  assert(x.rows >= 1 && static_cast<int64_t>(mean.size()) == x.cols && mean.size() == variance.size());
  // Differences from one of the rows: their squares lose no digits where squares of values would.
  const Real* shift = x.data;
  sum_pairs(x.rows, x.cols, mean, variance, [&](int64_t begin, int64_t rows, double* sums, double* squares) {
    kernels().add_moments(rows_from(x, begin), rows, x.cols, shift, sums, squares);
  });
  const auto rows = static_cast<double>(x.rows);
  for (size_t c = 0; c < mean.size(); ++c) {
    const double difference = mean[c] / rows;
    mean[c] = double{shift[c]} + difference;
    variance[c] = std::max(0.0, variance[c] / rows - difference * difference);
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
                     const std::optional<Activated>& activated, std::span<Real> sum_g, std::span<Real> sum_gz) {
  thread_local std::vector<double> memory;
  std::vector<double>& totals = memory;
  const auto cols = static_cast<size_t>(g.cols);
  totals.resize(2 * cols);
  const std::span<double> sums(totals.data(), cols), products(totals.data() + cols, cols);
  sum_pairs(g.rows, g.cols, sums, products, [&](int64_t begin, int64_t rows, double* sum, double* product) {
    ConstMatrixView piece = g.rows_at(begin, rows);
    if (activated) {
      const MatrixView before = activated->gradient.rows_at(begin, rows);
      activate_backward(activated->kind, activated->value.rows_at(begin, rows), piece, before);
      piece = before;
    }
    kernels().add_products(rows_from(piece, 0), rows_from(x, begin), rows, g.cols, columns.mean.data(), sum, product);
  });
  for (size_t c = 0; c < cols; ++c) {
    sum_g[c] = static_cast<Real>(sums[c]);
    sum_gz[c] = static_cast<Real>(products[c] * double{columns.inverse_stddev[c]});
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
