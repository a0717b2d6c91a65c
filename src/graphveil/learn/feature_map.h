// Products with features, sparse or dense.
#pragma once

#include "graphveil/base/matrix.h"
#include "graphveil/graph/features.h"
#include "graphveil/kernels/linear_map.h"

namespace graphveil::learn {

// out = X W.
void multiply(const graph::Features& features, ConstMatrixView weights, MatrixView out);

// The features as a matrix that is only multiplied with, from both sides. `features` must outlive it.
kernels::LinearMap feature_map(const graph::Features& features);

}  // namespace graphveil::learn
