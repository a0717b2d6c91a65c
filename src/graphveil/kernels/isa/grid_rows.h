// What the levels of the rounding of rows share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

struct GridRowsKernels {
  // The sum is in double, in an order that is the same on every level.
  double (*sum_of_squares)(const Real* row, int64_t cols) noexcept;
  // out = row * factor rounded toward zero, where |row * factor| < 2^31. Returns the sum of the squares of out,
  // each term and each addition within 2^-52 relative.
  double (*round_down)(const Real* row, int64_t cols, double factor, int32_t* out) noexcept;
};

extern const GridRowsKernels kGridRowsGeneric;
extern const GridRowsKernels kGridRowsAvx2;
extern const GridRowsKernels kGridRowsAvx512;

}  // namespace graphveil::kernels::isa
