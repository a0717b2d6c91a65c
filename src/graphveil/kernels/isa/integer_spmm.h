// What the levels of the whole-number sparse products share: plain structs, no functions.
#pragma once

#include <cstdint>

namespace graphveil::kernels::isa {

// One slice of at most `max_width` columns of a sparse product, in some rows that follow each other; as SpmmSlice, with
// ones for values.
template <typename Sum>
struct IntegerSpmmSlice {
  const int64_t* begins;  // by row, and one more: where the next row's entries begin
  const int64_t* ends;    // by row
  const int32_t* indices;
  int64_t last_entry;  // the last index that may be read ahead; -1 when there is none
  const int32_t* x;
  int64_t x_stride;
  Sum* out;
  int64_t out_stride;
  int64_t width;  // columns of the slice, at least 1
  bool add;       // to what out holds
};

constexpr int64_t kIntegerCursorPadding = 8;

template <typename Sum>
struct IntegerSpmmLoops {
  int64_t max_width;
  // These work like SpmmKernels: for all entries of the rows, and for those of one tile of x.
  void (*gather)(const IntegerSpmmSlice<Sum>& slice, int64_t rows) noexcept;
  void (*gather_tile)(const IntegerSpmmSlice<Sum>& slice, int64_t rows, int64_t* cursor, int64_t column_limit) noexcept;
};

struct IntegerSpmmKernels {
  IntegerSpmmLoops<int32_t> narrow;
  IntegerSpmmLoops<int64_t> wide;
};

extern const IntegerSpmmKernels kIntegerSpmmGeneric;
extern const IntegerSpmmKernels kIntegerSpmmAvx2;
extern const IntegerSpmmKernels kIntegerSpmmAvx512;

}  // namespace graphveil::kernels::isa
