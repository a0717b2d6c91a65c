// Batch normalization over the rows of a matrix: with z = (x - mean) * inverse_stddev, y = gamma * z + beta. Same bits
// for any number of threads.
#pragma once

#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// The mean and the (biased) variance of every column, in double; x has at least one row.
void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance);

// One number per column each.
struct BatchNormColumns {
  std::span<const Real> mean, inverse_stddev, gamma, beta;
};

void batch_normalize(ConstMatrixView x, const BatchNormColumns& columns, MatrixView y);

// The sums over the rows of g and of g z: the gradients of beta and gamma.
void batch_norm_sums(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns, std::span<Real> sum_g,
                     std::span<Real> sum_gz);

// dx = gamma * inverse_stddev * (g - share * sum_g - z * share * sum_gz), share = 1 / rows in training and 0 where the
// statistics are constants.
void batch_norm_backward(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns,
                         std::span<const Real> sum_g, std::span<const Real> sum_gz, Real share, MatrixView dx);

}  // namespace graphveil::kernels
