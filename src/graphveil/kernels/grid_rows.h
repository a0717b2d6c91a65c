// Rows onto a grid of whole steps and back. The step is a power of two, so dividing by it and multiplying with it are
// exact. Same bits for any number of threads and on every CPU level.
#pragma once

#include <cstdint>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// out = rows / step, each row first scaled down to L2 norm max_norm where it is longer, each entry rounded toward
// zero. rows and out have one shape; max_norm / step in (0, 2^30].
//
// Guarantee: for every row, whatever it holds, sum_c out(r, c)^2 <= (max_norm / step)^2, exactly: the sum is taken in
// whole numbers wherever doubles leave room for doubt, and a row that fails is scaled down further and rounded again.
// A row with an entry that is not finite becomes zero. A row depends on nothing but itself.
void to_grid(ConstMatrixView rows, double max_norm, double step, IntegerMatrixView<int32_t> out);

// out = grid * step, rounded once to Real.
void from_grid(ConstIntegerMatrixView<int32_t> grid, double step, MatrixView out);
void from_grid(ConstIntegerMatrixView<int64_t> grid, double step, MatrixView out);

// floor((max_norm / step)^2), exactly: the bound of to_grid.
int64_t squared_norm_limit(double max_norm, double step);

}  // namespace graphveil::kernels
