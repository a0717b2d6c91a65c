// Dense products with rows picked from a matrix by a list, gathered a panel at a time inside the product, so that a row
// listed many times is never copied as often. Same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

// out (rows.size() x k) = X[rows] W, plus `bias` in every row unless that is empty.
void gather_matmul(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView w, std::span<const Real> bias,
                   MatrixView out);

// out (x.cols x k) = X[rows]ᵀ G, or += that; g is rows.size() x k.
void gather_matmul_transposed(ConstMatrixView x, std::span<const int32_t> rows, ConstMatrixView g, MatrixView out,
                              Into into = Into::Overwrite);

}  // namespace graphveil::kernels
