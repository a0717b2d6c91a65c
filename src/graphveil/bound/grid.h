// Numbers on a public grid: whole multiples of a power of two. What is released is on one, noise included, so which
// numbers can come out does not depend on what went in.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/integer_matrix.h"

namespace graphveil::bound {

// values * step.
struct GridMatrix {
  IntegerMatrix<int64_t> values;
  double step = 1;
  // Where these are some of the rows of a larger matrix, whose other rows other ranks have (base/ranks.h): which of its
  // rows is the first. Noise is named by the place in the whole.
  int64_t first_row = 0;
  bool part = false;
};

// Whole numbers by nature, which need no grid; part of a matrix as above.
struct CountMatrix {
  IntegerMatrix<int64_t> values;
  int64_t first_row = 0;
};

// Rows of which most entries are 0: row r holds values[i] at indices[i] for i from offsets[r] to offsets[r + 1], times
// step.
struct SparseGrid {
  int64_t cols = 0;
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices = {};  // rising within a row
  std::vector<int64_t> values = {};
  std::vector<int32_t> left_out = {};  // of each row a column that nobody asks about, public; empty: none
  double step = 1;

  int64_t rows() const { return static_cast<int64_t>(offsets.size()) - 1; }
};

// The largest power of two that is at most `size`.
inline double grid_step(double size) {
  require(std::isfinite(size) && size > 0x1p-1000, "a grid of step {} is out of range", size);
  return std::ldexp(1.0, std::ilogb(size));
}

inline bool is_grid_step(double step) { return std::isfinite(step) && step > 0 && grid_step(step) == step; }

}  // namespace graphveil::bound
