// Sparse times dense in whole numbers, for sums of messages that lie on a grid. The matrix has no values: every stored
// entry counts 1. Exact, so the same for any number of threads, any order and every CPU level.
// No output may overlap an input.
#pragma once

#include <cstdint>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

// out (a.rows x k) = A x, or += A x, modulo 2^32; x is a.cols x k. Wrapping is post-processing: the sum modulo 2^32 is
// a function of the true sum.
void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int32_t> out,
          Into into = Into::Overwrite);
// The product in 64 bits, where fewer than 2^32 terms of 32 bits cannot wrap.
void spmm(const SparseView& a, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int64_t> out,
          Into into = Into::Overwrite);

// Columns of a matrix, and the rows of x that they meet.
struct Columns {
  int64_t begin = 0, end = 0;
};
// The same of the entries in these columns alone; indices must rise within a row of `a`. No other row of x is read, so
// somebody may write it meanwhile.
void spmm(const SparseView& a, Columns within, ConstIntegerMatrixView<int32_t> x, IntegerMatrixView<int64_t> out,
          Into into = Into::Overwrite);

}  // namespace graphveil::kernels
