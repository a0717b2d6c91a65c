// Batch normalization over the rows of a matrix: with z = (x - mean) * inverse_stddev, y = gamma * z + beta. Same bits
// for any number of threads. Where rows are `shared` the numbers of a column are those of all ranks' rows, with the
// bits of one process.
#pragma once

#include <optional>
#include <span>

#include "graphveil/base/matrix.h"
#include "graphveil/base/shared_rows.h"
#include "graphveil/kernels/activation.h"

namespace graphveil::kernels {

// The mean and the (biased) variance of every column, in double, over at least one row.
void column_moments(ConstMatrixView x, std::span<double> mean, std::span<double> variance,
                    const SharedRows* shared = nullptr);

// One number per column each.
struct BatchNormColumns {
  std::span<const Real> mean, inverse_stddev, gamma, beta;
};

// An activation, where there is one, is applied while the rows are still in the cache: y = f(gamma * z + beta).
void batch_normalize(ConstMatrixView x, const BatchNormColumns& columns, std::optional<Activation> activation,
                     MatrixView y);

// An activation that followed: its value, and where to put the gradient before it (may be that after it).
struct Activated {
  Activation kind;
  ConstMatrixView value;
  MatrixView gradient;
};

// The sums over the rows of g and of g z: the gradients of beta and gamma. `g` is the gradient in y, or after
// `activated` where there is one; its gradient is then written on the way.
void batch_norm_sums(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns,
                     const std::optional<Activated>& activated, std::span<Real> sum_g, std::span<Real> sum_gz,
                     const SharedRows* shared = nullptr);

// dx = gamma * inverse_stddev * (g - share * sum_g - z * share * sum_gz), share = 1 / rows in training and 0 where the
// statistics are constants. dx may be g.
void batch_norm_backward(ConstMatrixView g, ConstMatrixView x, const BatchNormColumns& columns,
                         std::span<const Real> sum_g, std::span<const Real> sum_gz, Real share, MatrixView dx);

}  // namespace graphveil::kernels
