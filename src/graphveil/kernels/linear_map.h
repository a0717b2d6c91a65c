// A matrix known by what it does, for methods that only multiply.
#pragma once

#include <cstdint>
#include <functional>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

struct LinearMap {
  int64_t rows = 0;
  int64_t cols = 0;
  std::function<void(ConstMatrixView x, MatrixView out)> apply;             // out (rows x k) = A x
  std::function<void(ConstMatrixView x, MatrixView out)> apply_transposed;  // out (cols x k) = Aᵀ x
};

}  // namespace graphveil::kernels
