#include "graphveil/graph/features.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kFeatureGrain = 4096;

SparseMatrix sparse_rows_at(const SparseMatrix& matrix, std::span<const int32_t> rows) {
  const SparseView view = matrix.view();
  std::vector<int64_t> offsets(rows.size() + 1, 0);
  for (size_t i = 0; i < rows.size(); ++i) offsets[i + 1] = offsets[i] + static_cast<int64_t>(view.row(rows[i]).size());
  std::vector<int32_t> indices(static_cast<size_t>(offsets.back()));
  std::vector<Real> values(view.values.empty() ? 0 : indices.size());
  parallel_for(static_cast<int64_t>(rows.size()), kFeatureGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::ranges::copy(view.row(rows[i]), indices.begin() + offsets[i]);
      if (values.empty()) continue;
      const int64_t from = view.offsets[rows[i]];
      std::copy_n(view.values.begin() + from, offsets[i + 1] - offsets[i], values.begin() + offsets[i]);
    }
  });
  return {static_cast<int64_t>(rows.size()), matrix.cols, std::move(offsets), std::move(indices), std::move(values)};
}

}  // namespace

Features::Features(SparseMatrix matrix) : sparse_(std::move(matrix)) {
  require(sparse_.offsets.size() == static_cast<size_t>(sparse_.rows) + 1, "{} feature offsets for {} rows",
          sparse_.offsets.size(), sparse_.rows);
}

Features::Features(Matrix matrix) : is_sparse_(false), rows_(matrix.rows()), cols_(matrix.cols()) {
  auto owner = std::make_shared<const Matrix>(std::move(matrix));
  values_ = SharedArray<Real>(owner->values(), owner);
}

Features::Features(int64_t rows, int64_t cols, SharedArray<Real> values)
    : is_sparse_(false), rows_(rows), cols_(cols), values_(std::move(values)) {
  require(rows >= 0 && cols >= 0 && values_.size() == static_cast<size_t>(rows) * static_cast<size_t>(cols),
          "{} feature values for {} x {}", values_.size(), rows, cols);
}

int64_t Features::entries() const { return is_sparse_ ? sparse_.entries() : rows_ * cols_; }

const SparseMatrix& Features::sparse() const {
  require(is_sparse_, "the features are dense, not sparse");
  return sparse_;
}

ConstMatrixView Features::dense() const {
  require(!is_sparse_, "the features are sparse, not dense");
  return {values_.data(), rows_, cols_};
}

Features Features::rows_at(std::span<const int32_t> rows) const {
  for (int32_t row : rows) require(row >= 0 && row < this->rows(), "row {} of {}", row, this->rows());
  if (is_sparse_) return sparse_rows_at(sparse_, rows);
  return dense_rows_at(rows);
}

Matrix Features::dense_rows_at(std::span<const int32_t> rows) const {
  for (int32_t row : rows) require(row >= 0 && row < this->rows(), "row {} of {}", row, this->rows());
  Matrix chosen(static_cast<int64_t>(rows.size()), cols());
  parallel_for(chosen.rows(), kFeatureGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (!is_sparse_) {
        std::ranges::copy(dense().row(rows[i]), chosen.row(i).begin());
        continue;
      }
      const SparseView view = sparse_.view();
      for (int64_t e = view.offsets[rows[i]]; e < view.offsets[rows[i] + 1]; ++e) {
        chosen(i, view.indices[e]) = view.values.empty() ? Real{1} : view.values[e];
      }
    }
  });
  return chosen;
}

}  // namespace graphveil::graph
