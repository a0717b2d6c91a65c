// Ridge regression on a large matrix by conjugate gradients. Same bits for any number of threads.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/kernels/linear_map.h"

namespace graphveil::kernels {

struct RidgeOptions {
  double ridge = 1;         // more than 0
  double tolerance = 1e-4;  // of each column's residual, relative to its right-hand side
  int64_t max_steps = 500;
};

// W (cols x k) = (AᵀA + ridge I)⁻¹ Aᵀ targets, one system per column of targets (rows x k). In float: good to about
// the tolerance times the condition of the system.
Matrix ridge_regression(const LinearMap& map, ConstMatrixView targets, const RidgeOptions& options);

}  // namespace graphveil::kernels
