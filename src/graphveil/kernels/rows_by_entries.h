// Loops over the rows of a sparse matrix in pieces of equal entries: rows of many do not make one thread late.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graphveil/base/parallel.h"

namespace graphveil::kernels {

// body(begin, end) over all rows, each once, in rising pieces: a piece ends with the row that reaches the next multiple
// of `entries_per_piece`, so it has hardly more than that, but for one row that has more by itself. `offsets` says
// where each row begins, and where the last one ends. Pieces depend on the matrix alone, never on the number of
// threads.
template <typename Body>
void parallel_rows_by_entries(std::span<const int64_t> offsets, int64_t entries_per_piece, Body&& body) {
  const auto rows = static_cast<int64_t>(offsets.size()) - 1;
  if (rows <= 0) return;
  // A row counts as one entry more, so that empty ones are work too.
  const int64_t total = offsets[static_cast<size_t>(rows)] - offsets[0] + rows;
  const int64_t pieces = (total + entries_per_piece - 1) / entries_per_piece;
  // The first row of which so much lies before.
  const auto first_row = [&](int64_t piece) {
    int64_t low = 0, high = rows;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (offsets[static_cast<size_t>(middle)] - offsets[0] + middle < piece * entries_per_piece) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  parallel_for(pieces, 1, [&](int64_t piece, int64_t) {
    const int64_t begin = first_row(piece), end = piece + 1 < pieces ? first_row(piece + 1) : rows;
    if (begin < end) body(begin, end);
  });
}

}  // namespace graphveil::kernels
