// The Cholesky factor of a small matrix in double, on the calling thread.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// a = L Lᵀ; L replaces the lower triangle, the upper one is neither read nor written. Where a pivot is at most `floor`
// times the diagonal entry it came from, the row depends on the rows before it: column and diagonal of L become zero
// there. Returns how many pivots stayed, a.rows for a positive definite matrix.
int64_t cholesky(DoubleView a, double floor) noexcept;

}  // namespace graphveil::kernels
