// The update of Adam (Kingma and Ba 2015), entry by entry.
#pragma once

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

// d = scale g + decay w;  m = beta1 m + rest1 d;  v = beta2 v + rest2 d^2;
// w = shrink w - rate m / (root sqrt(v) + epsilon).
struct AdamNumbers {
  Real scale = 1, decay = 0, shrink = 1;
  Real beta1 = 0, rest1 = 1, beta2 = 0, rest2 = 1;
  Real rate = 0, root = 1, epsilon = 0;
};

// All matrices have one size.
void adam_step(const AdamNumbers& numbers, ConstMatrixView gradient, MatrixView values, MatrixView mean,
               MatrixView square);

}  // namespace graphveil::kernels
