// Batch normalization over the rows of a matrix. Same bits for any number of threads.
#pragma once

#include <span>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// The mean and the (biased) variance of every column, in double; x has at least one row.
void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance);

// z = (x - mean) * inverse_stddev and y = gamma * z + beta, column by column.
void batch_normalize(ConstMatrixView x, std::span<const double> mean, std::span<const Real> inverse_stddev,
                     std::span<const Real> gamma, std::span<const Real> beta, MatrixView z, MatrixView y);

// The sums over the rows of g and of g z: the gradients of beta and gamma.
void batch_norm_sums(ConstMatrixView g, ConstMatrixView z, std::span<Real> sum_g, std::span<Real> sum_gz);

// dx = gamma * inverse_stddev * (g - share * sum_g - z * share * sum_gz), share = 1 / rows in training and 0 where the
// statistics are constants.
void batch_norm_backward(ConstMatrixView g, ConstMatrixView z, std::span<const Real> inverse_stddev,
                         std::span<const Real> gamma, std::span<const Real> sum_g, std::span<const Real> sum_gz,
                         Real share, MatrixView dx);

}  // namespace graphveil::kernels
