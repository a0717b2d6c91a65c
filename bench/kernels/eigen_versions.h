// The same work done by Eigen, compiled for the same instruction set, with its OpenMP threads on.
#pragma once

#include "graphveil/base/matrix.h"
#include "graphveil/base/sparse_matrix.h"

namespace graphveil::bench {

// Eigen wants a value per entry and 32-bit offsets, so it gets its own copy of the matrix.
class EigenSparse {
 public:
  explicit EigenSparse(const SparseView& a);
  ~EigenSparse();
  void multiply(ConstMatrixView x, MatrixView out) const;             // out = A x
  void multiply_transposed(ConstMatrixView x, MatrixView out) const;  // out = Aᵀ x

 private:
  struct Data;
  Data* data_;
};

void eigen_gemm(bool transpose_a, bool transpose_b, ConstMatrixView a, ConstMatrixView b, MatrixView c);
void eigen_normalize_rows(ConstMatrixView x, MatrixView out);
void eigen_softmax(ConstMatrixView x, MatrixView out);
void eigen_tanh(ConstMatrixView x, MatrixView out);
void eigen_selu(ConstMatrixView x, MatrixView out);
float eigen_sum_of_squares(ConstMatrixView x);
void eigen_column_sums(ConstMatrixView x, MatrixView out);

}  // namespace graphveil::bench
