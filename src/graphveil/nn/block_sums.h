// Sums of clipped per-sample gradients in which the rounding that a sample can cause is bounded: float products within
// blocks of samples, exact sums of blocks.
//
// Guarantee (with at most bound::kMaxSamplesPerBlock = 126 samples to a block, u = 2^-24 the rounding of a float).
// Which block a sample is in does not depend on the others (nn/batches.h), and a block's sum reads its own samples
// alone.
//   Within a block, a float sum of k rows a_r (x) g_r errs, in any order and with or without fused products, by at most
//   g_k W in norm, g_k = k u / (1 - k u) and W the sum of |a_r| |g_r| (Higham 2002, Section 3.1). Whoever calls gives
//   each block its k such that g_k times the W of all its rows is at most 0.99 bound::kBlockError times the clip norm:
//   rows beyond k are summed apart, and those sums added in double. The remaining 0.01, 4.8e-6, covers that addition
//   (of at most 2^22 rows, so within 2^22 2^-53 126 64 < 3.8e-6), what falls below the smallest floats, and the
//   rounding of W itself. Each entry of a block's sum is then rounded to the nearest multiple of the grid. Multiples of
//   it are added in double without error as long as they stay below 2^53 of them: so in any order, and in any number of
//   threads, to the same bits.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/nn/ghost_norm.h"
#include "graphveil/nn/sample_rows.h"

namespace graphveil::nn {

// The rows of one operation's output, scaled: what to sum, and how.
struct WeightedRows {
  const SampleRows& samples;
  std::span<const Real> factors;          // of each row; where it is 0, whatever else the row reads counts as 0
  std::span<const int64_t> block_ends;    // of each block: how many samples are before its end
  std::span<const int64_t> rows_per_sum;  // of each block: how many rows one float sum may hold, at least 1
};

// Where the sum of one parameter's gradients is kept: multiples of `grid`, a power of two.
struct GridSum {
  double* data = nullptr;
  int64_t rows = 0;
  int64_t cols = 0;
  double grid = 0;
};

// sum += sum over rows of a_r (x) g_r. Narrow ones are summed in double within a block.
void add_outer_sums(ConstMatrixView a, ConstMatrixView g, const WeightedRows& rows, const GridSum& sum);
// Adds them where row r of A is row picked[r] of `a`.
void add_outer_sums(ConstMatrixView a, std::span<const int32_t> picked, ConstMatrixView g, const WeightedRows& rows,
                    const GridSum& sum);
// Adds them for a sparse A, whose row r is row (*picked)[r] of `a`, or row r without a list. Where every sample has one
// row its products, exact in double, are rounded to the grid one by one: then a sample errs by half a step in each of
// its entries, and there is no block whose sum could change with it.
void add_outer_sums(const SparseView& a, const RowList& picked, ConstMatrixView g, const WeightedRows& rows,
                    const GridSum& sum);
// sum += sum over rows of c_r; `sum` has one row.
void add_row_sums(ConstMatrixView c, const WeightedRows& rows, const GridSum& sum);

}  // namespace graphveil::nn
