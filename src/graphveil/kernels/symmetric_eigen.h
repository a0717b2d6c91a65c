// Eigenvalues and eigenvectors of a small symmetric matrix, in double, on the calling thread.
#pragma once

#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// a = V diag(values) Vᵀ by cyclic Jacobi rotations. Column k of `vectors` (a.rows x a.rows) belongs to values[k];
// the values fall. `a` is destroyed; only symmetric input makes sense.
std::vector<double> symmetric_eigen(DoubleView a, DoubleView vectors);

}  // namespace graphveil::kernels
