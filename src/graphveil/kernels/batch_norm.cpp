#include "graphveil/kernels/batch_norm.h"

#include <cassert>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

// totals[c] = sum over rows of term(row, c), by pieces of fixed size that are added in their order. `term` adds one
// row's terms to `columns` sums.
template <typename AddRow>
void sum_over_rows(int64_t rows, int64_t columns, std::span<double> totals, AddRow add_row) {
  const int64_t grain = rows_per_piece(columns);
  const int64_t pieces = (rows + grain - 1) / grain;
  thread_local std::vector<double> memory;
  std::vector<double>& partial = memory;
  partial.assign(static_cast<size_t>(pieces * columns), 0.0);
  parallel_for(rows, grain, [&](int64_t begin, int64_t end) {
    double* sums = partial.data() + begin / grain * columns;
    for (int64_t r = begin; r < end; ++r) add_row(r, sums);
  });
  for (int64_t c = 0; c < columns; ++c) {
    double total = 0;
    for (int64_t p = 0; p < pieces; ++p) total += partial[p * columns + c];
    totals[c] = total;
  }
}

}  // namespace

void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance) {
  assert(x.rows >= 1 && static_cast<int64_t>(mean.size()) == x.cols && mean.size() == variance.size());
  const auto rows = static_cast<double>(x.rows);
  sum_over_rows(x.rows, x.cols, mean, [&](int64_t r, double* sums) {
    const Real* row = x.data + r * x.stride;
    for (int64_t c = 0; c < x.cols; ++c) sums[c] += row[c];
  });
  for (double& m : mean) m /= rows;
  // A second pass: squares of differences lose no digits where squares of values would.
  sum_over_rows(x.rows, x.cols, variance, [&](int64_t r, double* sums) {
    const Real* row = x.data + r * x.stride;
    for (int64_t c = 0; c < x.cols; ++c) {
      const double difference = row[c] - mean[c];
      sums[c] += difference * difference;
    }
  });
  for (double& v : variance) v /= rows;
}

void batch_normalize(ConstMatrixView x, std::span<const double> mean, std::span<const Real> inverse_stddev,
                     std::span<const Real> gamma, std::span<const Real> beta, MatrixView z, MatrixView y) {
  parallel_for(x.rows, rows_per_piece(x.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Real* in = x.data + r * x.stride;
      Real* normal = z.data + r * z.stride;
      Real* out = y.data + r * y.stride;
      for (int64_t c = 0; c < x.cols; ++c) {
        normal[c] = static_cast<Real>(in[c] - mean[c]) * inverse_stddev[c];
        out[c] = gamma[c] * normal[c] + beta[c];
      }
    }
  });
}

void batch_norm_sums(ConstMatrixView g, ConstMatrixView z, std::span<Real> sum_g, std::span<Real> sum_gz) {
  thread_local std::vector<double> totals;
  totals.resize(static_cast<size_t>(2 * g.cols));
  sum_over_rows(g.rows, 2 * g.cols, totals, [&](int64_t r, double* sums) {
    const Real* gradient = g.data + r * g.stride;
    const Real* normal = z.data + r * z.stride;
    for (int64_t c = 0; c < g.cols; ++c) {
      sums[c] += gradient[c];
      sums[g.cols + c] += double{gradient[c]} * double{normal[c]};
    }
  });
  for (int64_t c = 0; c < g.cols; ++c) {
    sum_g[c] = static_cast<Real>(totals[c]);
    sum_gz[c] = static_cast<Real>(totals[g.cols + c]);
  }
}

void batch_norm_backward(ConstMatrixView g, ConstMatrixView z, std::span<const Real> inverse_stddev,
                         std::span<const Real> gamma, std::span<const Real> sum_g, std::span<const Real> sum_gz,
                         Real share, MatrixView dx) {
  parallel_for(g.rows, rows_per_piece(g.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Real* gradient = g.data + r * g.stride;
      const Real* normal = z.data + r * z.stride;
      Real* out = dx.data + r * dx.stride;
      for (int64_t c = 0; c < g.cols; ++c) {
        out[c] = gamma[c] * inverse_stddev[c] * (gradient[c] - share * sum_g[c] - normal[c] * share * sum_gz[c]);
      }
    }
  });
}

}  // namespace graphveil::kernels
