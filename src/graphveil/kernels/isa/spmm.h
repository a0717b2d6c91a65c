// What the levels of the sparse products share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// One slice of at most `max_width` columns of a sparse product.
struct SpmmSlice {
  const int64_t* offsets;
  const int32_t* indices;
  const uint16_t* narrow;  // the same in half the bytes; null: not kept
  const Real* values;      // null: all ones
  const int32_t* rows;     // null: output row i is row i of the matrix; else row rows[i]
  int64_t last_entry;      // the last index that may be read ahead; -1: rows of x are not asked for ahead
  const Real* x;
  int64_t x_stride;
  Real* out;
  int64_t out_stride;
  int64_t width;  // columns of the slice, at least 1
  bool add;       // to what out holds
};

constexpr int64_t kCursorPadding = 8;

struct SpmmKernels {
  int64_t max_width;
  // Output rows [begin, end): out_i (+)= the sum over the stored entries of the row.
  void (*gather)(const SpmmSlice& slice, int64_t begin, int64_t end) noexcept;
  // Gathers the entries whose column is below `column_limit`, starting at cursor[i - begin], which is moved
  // on to the first entry not yet used. Always adds to out. The cursors are followed by kCursorPadding entries that
  // may be read.
  void (*gather_tile)(const SpmmSlice& slice, int64_t begin, int64_t end, int64_t* cursor,
                      int64_t column_limit) noexcept;
  // Input rows [begin, end): adds value_e x_i to out row c of each stored entry e = (row i, column c).
  void (*scatter)(const SpmmSlice& slice, int64_t begin, int64_t end) noexcept;
};

extern const SpmmKernels kSpmmGeneric;
extern const SpmmKernels kSpmmAvx2;
extern const SpmmKernels kSpmmAvx512;

}  // namespace graphveil::kernels::isa
