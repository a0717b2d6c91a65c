// Norms of per-sample gradients without forming the gradients ("ghost" norms; Goodfellow 2015, Li et al. 2021).
//
// Guarantee: no rounding hides a gradient from the clip, whatever the width and the number of rows. Each function adds,
// for one parameter, to squared[s] the square of a number n_s and to terms[s] the square of T_s, the sum over the
// sample's rows of the norms of their shares. Both read sample s alone. Let G_s be the exact gradient that the floats
// given make, and G'_s the exact one after every share was multiplied by a factor f rounded entry by entry. Then
//   |G'_s| <= f n_s (1 + 2e-5), and T_s is exact to within 2e-5,
// because (u = 2^-24, g_k = k u / (1 - k u), m the rows of the sample, all bounds for sums in any order)
//   row norms     squares are summed in float over at most 4096 columns at a time, in 16 lanes, and those sums in
//                 double: off by at most 276 u < 1.7e-5, half of that for a norm. Where the sum is so small or large
//                 that a square might have under- or overflowed, it is done again in double.
//   one row       n = T = |a| |g|; rounding f g costs a factor 1 + u.
//   several rows  rounding f g costs at most u T f in all. The product A^T G in float is off by at most g_m T in norm:
//                 n = |A^T G| + g_{m+2} T. Or by Gram matrices, each entry off by a share g_k, k its length, of the
//                 norms: n^2 = the sum + g_{k+l} T^2 and the like; of a sparse A in double, with 2^-53 for u.
// A row whose norm is beyond 1e15, a sample of more than 2^16 rows, and anything not finite make n_s infinite or NaN:
// the sample is then left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/sparse_matrix.h"
#include "graphveil/nn/sample_rows.h"

namespace graphveil::nn {

// One number per sample, of all parameters clipped together.
struct SampleNorms {
  std::span<double> squared;  // of the norm, rounded up
  std::span<double> terms;    // of the sum of the norms of the rows' shares
};

// Gradient sum_r a_r (x) g_r over the sample's rows: the weight of y = x W, with a = x and g = dloss/dy.
//   one row:       |a|^2 |g|^2
//   several rows:  sum_rt <a_r, a_t> <g_r, g_t>  (Gram), or |A^T G|^2 formed outright, whichever is cheaper
void add_outer_norms(ConstMatrixView a, ConstMatrixView g, const SampleRows& samples, const SampleNorms& norms);

// Norms for a sparse A: row r of A is row (*rows)[r] of `a`, or row r without a list. Where all g_r of a sample are
// multiples c_r of one vector, as behind a linear network: |sum_r c_r a_r|^2 |g|^2. Else as above.
using RowList = std::optional<std::span<const int32_t>>;
void add_outer_norms(const SparseView& a, const RowList& rows, ConstMatrixView g, const SampleRows& samples,
                     const SampleNorms& norms);

// Norms for dense rows picked from `a`: row r of A is row rows[r] of it.
void add_outer_norms(ConstMatrixView a, std::span<const int32_t> rows, ConstMatrixView g, const SampleRows& samples,
                     const SampleNorms& norms);

// Gradient sum_r c_r: biases, prompts, attention vectors, slopes.
void add_sum_norms(ConstMatrixView c, const SampleRows& samples, const SampleNorms& norms);

}  // namespace graphveil::nn
