// Operations that move rows and columns without arithmetic.
#pragma once

#include <span>

#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// Side by side: all parts have the same rows.
Var concat_columns(std::span<const Var> parts);
// Columns [begin, begin + count).
Var slice_columns(Var x, int64_t begin, int64_t count);
// Rows rows[0], rows[1], ...; repeats allowed. `rows` must outlive the step.
Var gather_rows(Var x, std::span<const int32_t> rows);
// out has `count` rows; row rows[i] of it is the sum of those x_i. `rows` must outlive the step.
Var scatter_rows(Var x, std::span<const int32_t> rows, int64_t count);
// The mean over `blocks` equal blocks of columns: how attention heads are averaged.
Var mean_of_blocks(Var x, int64_t blocks);

}  // namespace graphveil::nn
