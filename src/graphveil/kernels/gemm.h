// Dense matrix products. Same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

enum class Transpose { No, Yes };

// c = alpha op(a) op(b) + beta c, with op(m) = m or mᵀ. With beta = 0, c is not read. c overlaps no input.
void gemm(Transpose transpose_a, Transpose transpose_b, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta,
          MatrixView c);

// c = a b.
inline void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c) {
  gemm(Transpose::No, Transpose::No, 1, a, b, 0, c);
}

// Whether each row of such an a b is the same bits whatever the other rows of a are. A library's product cuts its sums
// by the shape of the whole.
bool rows_keep_apart(int64_t depth, int64_t cols);

// c = a b, with `bias` added to every row.
void linear(ConstMatrixView a, ConstMatrixView b, std::span<const Real> bias, MatrixView c);

}  // namespace graphveil::kernels
