#include "graphveil/graph/normalize.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kRowGrain = 4096;

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
    parallel_for(matrix.rows, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        normalize_row({values.data() + matrix.offsets[r], values.data() + matrix.offsets[r + 1]}, norm);
      }
    });
    matrix.values = std::move(values);
    return matrix;
  }
  Matrix matrix = Matrix::uninitialized(features.rows(), features.cols());
  parallel_for(matrix.rows(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      std::ranges::copy(features.dense().row(r), matrix.row(r).begin());
      normalize_row(matrix.row(r), norm);
    }
  });
  return matrix;
}

}  // namespace graphveil::graph
