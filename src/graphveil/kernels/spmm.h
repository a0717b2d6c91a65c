// Sparse times dense, for adjacency matrices and for sparse features. A sparse matrix without values has ones.
// No output may overlap an input. Same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/kernels/into.h"

namespace graphveil::kernels {

// out (a.rows x k) = A x, or += A x; x is a.cols x k.
void spmm(const SparseView& a, ConstMatrixView x, MatrixView out, Into into = Into::Overwrite);

// out (a.cols x k) = Aᵀ x, or += Aᵀ x; x is a.rows x k. Meant for matrices used once or with few columns of
// their own (sparse features); a graph that is multiplied many times is better transposed once. Of `shared` rows of x
// each rank has its own, and of A no other rank has the same; out is then that of one process, bit for bit.
void spmm_transposed(const SparseView& a, ConstMatrixView x, MatrixView out, Into into = Into::Overwrite,
                     const SharedRows* shared = nullptr);

// What one process has whose rows ranks share out, where A is not all of it: the order of a sum follows from that.
struct WholeSparse {
  int64_t rows = 0;
  int64_t entries = 0;
  bool transposed = false;  // it keeps the rows transposed, so that it adds them one after the other
};

// These two are as above with A replaced by the rows of A that `rows` lists (repeats allowed), without forming them:
// out (rows.size() x k) = A[rows] x.
void spmm_rows(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out,
               Into into = Into::Overwrite);
// out (a.cols x k) = A[rows]ᵀ x; x is rows.size() x k. `whole`, where it is given, goes with `shared`; null: all ranks'
// matrices together are one process's, which keeps nothing transposed.
void spmm_rows_transposed(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out,
                          Into into = Into::Overwrite, const SharedRows* shared = nullptr,
                          const WholeSparse* whole = nullptr);

// out[e] = <left[r], right[c]> for each stored entry e = (r, c) of A: the gradient of A x in A's values.
// A's own values are not read.
void sampled_product(const SparseView& a, ConstMatrixView left, ConstMatrixView right, std::span<Real> out);

// Aᵀ by compressed rows, its indices rising, its values carried along when there are any.
SparseMatrix transpose(const SparseView& a);

}  // namespace graphveil::kernels
