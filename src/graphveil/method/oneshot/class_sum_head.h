// A linear classifier from noisy class sums. Post-processing: reads what was released, and public data.
#pragma once

#include "graphveil/base/matrix.h"

namespace graphveil::method {

struct ClassSumHeadOptions {
  double records = 1;       // n, the number of records in the sums: public
  double label_ridge = 10;  // s²/τ²
  double noise_ridge = 20;  // 1/τ²
};

// The head W (dim x classes) that explains the noisy class sums B (dim x classes). G = n * mean of e eᵀ over the rows
// of public records stands in for the private Gram matrix, so that B = G W + label noise (covariance s² G) + release
// noise (covariance σ² I, σ = noise_stddev). Under a prior N(0, τ² I) for W its posterior mean, along each eigenvector
// of G with eigenvalue g, is the sums times
//   g / (g² + (s²/τ²) g + σ²/τ²),
// which is ridge regression where the release noise is small, and nothing where g drowns in it.
Matrix class_sum_head(ConstMatrixView public_rows, ConstMatrixView sums, double noise_stddev,
                      const ClassSumHeadOptions& options);

}  // namespace graphveil::method
