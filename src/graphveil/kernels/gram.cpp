#include "graphveil/kernels/gram.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/cholesky.h"

namespace graphveil::kernels {
namespace {

// Pieces are cut by the number of rows alone and added up in order.
constexpr int64_t kGramPieces = 16;
constexpr int64_t kGramGrain = 256;

// Columns whose angle to the span of those before is below about 3e-6 are rounding, not direction.
constexpr double kDependent = 1e-11;

// fill(begin, end, sums) adds the contribution of some rows to `width` sums; the total comes back.
template <typename Fill>
std::vector<double> sum_over_rows(int64_t rows, int64_t width, Fill&& fill) {
  const int64_t grain = std::max(kGramGrain, (rows + kGramPieces - 1) / kGramPieces);
  const int64_t pieces = (rows + grain - 1) / grain;
  std::vector<double> partial(static_cast<size_t>(std::max<int64_t>(pieces, 1) * width), 0.0);
  parallel_for(pieces, 1, [&](int64_t piece, int64_t) {
    fill(piece * grain, std::min((piece + 1) * grain, rows), partial.data() + piece * width);
  });
  for (int64_t piece = 1; piece < pieces; ++piece) {
    for (int64_t i = 0; i < width; ++i) partial[i] += partial[piece * width + i];
  }
  partial.resize(static_cast<size_t>(width));
  return partial;
}

}  // namespace

void gram(ConstMatrixView x, DoubleView out) {
  const int64_t n = x.cols;
  assert(out.rows == n && out.cols == n);
  // Lower triangle, four rows of x at a time so that each pass over the sums does four times the work.
  const std::vector<double> sums = sum_over_rows(x.rows, n * n, [&](int64_t begin, int64_t end, double* to) {
    std::vector<double> wide(static_cast<size_t>(4 * n));
    for (int64_t r = begin; r < end; r += 4) {
      std::fill(wide.begin(), wide.end(), 0.0);
      for (int64_t k = 0; k < std::min<int64_t>(4, end - r); ++k) {
        std::copy_n(x.row(r + k).begin(), n, wide.begin() + k * n);
      }
      const double *a = wide.data(), *b = a + n, *c = b + n, *d = c + n;
      for (int64_t i = 0; i < n; ++i) {
        const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
        double* row = to + i * n;
        for (int64_t j = 0; j <= i; ++j) row[j] += ai * a[j] + bi * b[j] + ci * c[j] + di * d[j];
      }
    }
  });
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) out(i, j) = out(j, i) = sums[i * n + j];
  }
}

std::vector<double> column_dots(ConstMatrixView x, ConstMatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  return sum_over_rows(x.rows, x.cols, [&](int64_t begin, int64_t end, double* to) {
    for (int64_t r = begin; r < end; ++r) {
      const Real *a = x.row(r).data(), *b = y.row(r).data();
      for (int64_t c = 0; c < x.cols; ++c) to[c] += static_cast<double>(a[c]) * b[c];
    }
  });
}

int64_t orthonormalize_columns(MatrixView x) {
  const int64_t n = x.cols;
  int64_t kept = 0;
  // xᵀx = L Lᵀ makes x L⁻ᵀ orthonormal, up to the condition of xᵀx in double; a second pass takes that away.
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> memory(static_cast<size_t>(n * n));
    const DoubleView l(memory.data(), n, n);
    gram(x, l);
    kept = cholesky(l, kDependent);
    // Forward substitution needs rows of Lᵀ: row k of `upper` is column k of L.
    std::vector<double> upper(static_cast<size_t>(n * n), 0.0);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k <= i; ++k) upper[k * n + i] = l(i, k);
    }
    parallel_for(x.rows, kGramGrain, [&](int64_t begin, int64_t end) {
      std::vector<double> q(static_cast<size_t>(n));
      for (int64_t r = begin; r < end; ++r) {
        std::copy_n(x.row(r).begin(), n, q.begin());
        for (int64_t k = 0; k < n; ++k) {
          const double* row = upper.data() + k * n;
          q[k] = row[k] > 0 ? q[k] / row[k] : 0;
          const double value = q[k];
          for (int64_t i = k + 1; i < n; ++i) q[i] -= row[i] * value;
        }
        for (int64_t k = 0; k < n; ++k) x(r, k) = static_cast<Real>(q[k]);
      }
    });
  }
  return kept;
}

}  // namespace graphveil::kernels
