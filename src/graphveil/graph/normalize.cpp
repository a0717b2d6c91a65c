#include "graphveil/graph/normalize.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kNormalizeGrain = 4096;

void normalize_row(std::span<Real> row, RowNorm norm) {
  double sum = 0;
  for (Real x : row) sum += norm == RowNorm::L1 ? std::abs(double{x}) : double{x} * x;
  if (sum == 0) return;
  const double scale = 1 / (norm == RowNorm::L1 ? sum : std::sqrt(sum));
  for (Real& x : row) x = static_cast<Real>(x * scale);
}

}  // namespace

Features row_normalized(const Features& features, RowNorm norm) {
  if (features.is_sparse()) {
    SparseMatrix matrix = features.sparse();
    std::vector<Real> values(matrix.values.begin(), matrix.values.end());
    if (values.empty()) values.assign(matrix.indices.size(), Real{1});
    parallel_for(matrix.rows, kNormalizeGrain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        normalize_row({values.data() + matrix.offsets[r], values.data() + matrix.offsets[r + 1]}, norm);
      }
    });
    matrix.values = std::move(values);
    return matrix;
  }
  Matrix matrix = Matrix::uninitialized(features.rows(), features.cols());
  parallel_for(matrix.rows(), kNormalizeGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      std::ranges::copy(features.dense().row(r), matrix.row(r).begin());
      normalize_row(matrix.row(r), norm);
    }
  });
  return matrix;
}

Features with_constant(const Features& features, Real value) {
  const int64_t rows = features.rows(), cols = features.cols();
  if (!features.is_sparse()) {
    Matrix out = Matrix::uninitialized(rows, cols + 1);
    parallel_for(rows, kNormalizeGrain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        std::ranges::copy(features.dense().row(r), out.row(r).begin());
        out(r, cols) = value;
      }
    });
    return out;
  }
  const SparseView in = features.sparse();
  std::vector<int64_t> offsets(static_cast<size_t>(rows) + 1);
  std::vector<int32_t> indices(static_cast<size_t>(in.entries() + rows));
  std::vector<Real> values(indices.size());
  parallel_for(rows, kNormalizeGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      offsets[r + 1] = in.offsets[r + 1] + r + 1;
      int64_t at = in.offsets[r] + r;
      for (int64_t e = in.offsets[r]; e < in.offsets[r + 1]; ++e, ++at) {
        indices[at] = in.indices[e];
        values[at] = in.values.empty() ? Real{1} : in.values[e];
      }
      indices[at] = static_cast<int32_t>(cols);
      values[at] = value;
    }
  });
  return SparseMatrix{rows, cols + 1, SharedArray<int64_t>(std::move(offsets)),
                      SharedArray<int32_t>(std::move(indices)), SharedArray<Real>(std::move(values))};
}

Features normalized_with_constant(const Features& features, RowNorm norm, Real value) {
  if (features.is_sparse()) return with_constant(row_normalized(features, norm), value);
  const int64_t cols = features.cols();
  Matrix out = Matrix::uninitialized(features.rows(), cols + 1);
  parallel_for(out.rows(), kNormalizeGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const std::span<Real> row = out.row(r).first(static_cast<size_t>(cols));
      std::ranges::copy(features.dense().row(r), row.begin());
      normalize_row(row, norm);
      out(r, cols) = value;
    }
  });
  return out;
}

}  // namespace graphveil::graph
