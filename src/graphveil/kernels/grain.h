// How many rows make one piece of a parallel loop.
#pragma once

#include <algorithm>
#include <cstdint>

namespace graphveil::kernels {

// Rows per piece so that a piece does about `target` units of work. Depends on the shape alone, never on the
// number of threads, so results stay the same bits.
inline int64_t rows_per_piece(int64_t work_per_row, int64_t target = 16384) {
  return std::max<int64_t>(1, target / std::max<int64_t>(1, work_per_row));
}

}  // namespace graphveil::kernels
