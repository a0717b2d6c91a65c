// Sum, mean and maximum over segments of rows: segment s is rows [offsets[s], offsets[s + 1]) of x, and row s of
// the output. An empty segment gives a zero row. No overlap between outputs and inputs.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

void segment_sum(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out);
void segment_sum_backward(std::span<const int64_t> offsets, ConstMatrixView g, MatrixView dx);

void segment_mean(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out);
void segment_mean_backward(std::span<const int64_t> offsets, ConstMatrixView g, MatrixView dx);

// arg (as many entries as out, row-major) keeps the row of x that won, the first among equals; -1 when empty.
void segment_max(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out, std::span<int64_t> arg);
// Overwrites dx, which has as many rows as x.
void segment_max_backward(std::span<const int64_t> arg, ConstMatrixView g, MatrixView dx);

}  // namespace graphveil::kernels
