// Numbers on a public grid: whole multiples of a power of two. What is released is on one, noise included, so which
// numbers can come out does not depend on what went in.
#pragma once

#include <cmath>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/integer_matrix.h"

namespace graphveil::bound {

// values * step.
struct GridMatrix {
  IntegerMatrix<int64_t> values;
  double step = 1;
};

// The largest power of two that is at most `size`.
inline double grid_step(double size) {
  require(std::isfinite(size) && size > 0x1p-1000, "a grid of step {} is out of range", size);
  return std::ldexp(1.0, std::ilogb(size));
}

inline bool is_grid_step(double step) { return std::isfinite(step) && step > 0 && grid_step(step) == step; }

}  // namespace graphveil::bound
