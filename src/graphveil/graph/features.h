// Node features, sparse or dense, behind one type.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_array.h"
#include "graphveil/base/sparse_matrix.h"

namespace graphveil::graph {

// One row per node. Immutable; copying shares the memory. Every value is finite.
class Features {
 public:
  Features() = default;  // 0 x 0, sparse
  Features(SparseMatrix matrix);
  Features(Matrix matrix);
  // Row-major values of a rows x cols matrix, say in a mapped file.
  Features(int64_t rows, int64_t cols, SharedArray<Real> values);

  bool is_sparse() const { return is_sparse_; }
  int64_t rows() const { return is_sparse_ ? sparse_.rows : rows_; }
  int64_t cols() const { return is_sparse_ ? sparse_.cols : cols_; }
  int64_t entries() const;  // stored values: all of them when dense

  const SparseMatrix& sparse() const;  // throws InvalidArgument when dense
  ConstMatrixView dense() const;       // throws InvalidArgument when sparse
  const SharedArray<Real>& dense_values() const { return values_; }

  // The given rows, in the given order.
  Features rows_at(std::span<const int32_t> rows) const;
  // These rows as a matrix, zeros included.
  Matrix dense_rows_at(std::span<const int32_t> rows) const;

 private:
  bool is_sparse_ = true;
  SparseMatrix sparse_;
  int64_t rows_ = 0;
  int64_t cols_ = 0;
  SharedArray<Real> values_;
};

}  // namespace graphveil::graph
