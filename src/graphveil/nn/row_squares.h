// Squared norms of rows, for clipping: see the bounds in nn/ghost_norm.h.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::nn {

// squares[r] = |x_r|^2 to within 276 rounding errors of a float, for any width and any scale; a norm beyond 1e15 counts
// as infinite. Reads row r alone.
void row_squares(ConstMatrixView x, std::span<double> squares);
// The sum of squares of one row.
double row_square(std::span<const Real> row);

// g_k = k u / (1 - k u): what k roundings of Real can add up to, as a share.
double rounding_share(int64_t k);

}  // namespace graphveil::nn
