// Norms of per-sample gradients without forming the gradients ("ghost" norms; Goodfellow 2015, Li et al. 2021).
// Each function adds to squared(s, 0) the squared norm of one gradient of sample s, whose rows `samples` lists.
//
// Rounding must not hide a gradient from the clip. Where several rows of a sample nearly cancel, what is added
// is at least (1e-4 T)^2, T being the sum of the norms of the rows' shares: float products that size err by far
// less. Row norms beyond 1e15 count as infinite (the sample is then left out), so underflow hides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/nn/sample_rows.h"

namespace graphveil::nn {

// Gradient sum_r a_r (x) g_r over the sample's rows: the weight of y = x W, with a = x and g = dloss/dy.
//   one row:       |a|^2 |g|^2
//   several rows:  sum_rt <a_r, a_t> <g_r, g_t>  (Gram), or |A^T G|^2 formed outright, whichever is cheaper
void add_outer_norms(ConstMatrixView a, ConstMatrixView g, const SampleRows& samples, MatrixView squared);

// The same with a sparse A: row r of A is row (*rows)[r] of `a`, or row r without a list. Where all g_r of a sample are
// multiples c_r of one vector, as behind a linear network: |sum_r c_r a_r|^2 |g|^2.
using RowList = std::optional<std::span<const int32_t>>;
void add_outer_norms(const SparseView& a, const RowList& rows, ConstMatrixView g, const SampleRows& samples,
                     MatrixView squared);

// The same with dense rows picked from `a`: row r of A is row rows[r] of it.
void add_outer_norms(ConstMatrixView a, std::span<const int32_t> rows, ConstMatrixView g, const SampleRows& samples,
                     MatrixView squared);

// Gradient sum_r c_r: biases, prompts, attention vectors, slopes.
void add_sum_norms(ConstMatrixView c, const SampleRows& samples, MatrixView squared);

}  // namespace graphveil::nn
