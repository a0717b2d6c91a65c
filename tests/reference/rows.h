// Slow, obvious versions of the operations on rows, in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::reference {

// <x_r, y_r> of each row.
inline std::vector<double> row_dots(ConstMatrixView x, ConstMatrixView y) {
  std::vector<double> dots(static_cast<size_t>(x.rows), 0.0);
  for (int64_t r = 0; r < x.rows; ++r) {
    for (int64_t c = 0; c < x.cols; ++c) dots[r] += static_cast<double>(x(r, c)) * static_cast<double>(y(r, c));
  }
  return dots;
}

inline std::vector<double> row_norms(ConstMatrixView x) {
  std::vector<double> norms = row_dots(x, x);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

}  // namespace graphveil::reference
