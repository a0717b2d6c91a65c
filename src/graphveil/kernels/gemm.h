// Dense matrix products. Same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_rows.h"

namespace graphveil::kernels {

enum class Transpose { No, Yes };

// c = alpha op(a) op(b) + beta c, with op(m) = m or mᵀ. With beta = 0, c is not read. c overlaps no input. Of `shared`
// rows each rank has its own of a and c, or of aᵀ and b (alpha is then 1), and gets the bits of one process.
void gemm(Transpose transpose_a, Transpose transpose_b, Real alpha, ConstMatrixView a, ConstMatrixView b, Real beta,
          MatrixView c, const SharedRows* shared = nullptr);

// c = a b.
inline void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c, const SharedRows* shared = nullptr) {
  gemm(Transpose::No, Transpose::No, 1, a, b, 0, c, shared);
}

// Where ranks share out so many rows, cuts at multiples of this let them make products without rows of others, as long
// as there are 8192 rows or more and no fewer than weights. Otherwise every rank makes the whole product.
int64_t rows_per_cut(int64_t rows);

// Whether each row of such an a b is the same bits whatever the other rows of a are. A library's product cuts its sums
// by the shape of the whole.
bool rows_keep_apart(int64_t depth, int64_t cols);

// c = a b, with `bias` added to every row.
void linear(ConstMatrixView a, ConstMatrixView b, std::span<const Real> bias, MatrixView c,
            const SharedRows* shared = nullptr);

}  // namespace graphveil::kernels
