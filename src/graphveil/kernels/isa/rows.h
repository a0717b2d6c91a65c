// What the levels of the row kernels share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// Rows of a matrix that is read, and of one that is written; `stride` apart. They may be the same.
struct RowsIn {
  const Real* data;
  int64_t stride;
};
struct RowsOut {
  Real* data;
  int64_t stride;
};

// Each over `rows` rows of `cols` columns. What is made of a row depends on that row alone, not on its place.
struct RowKernels {
  // dots[r] = <x_r, y_r>
  void (*dots)(RowsIn x, RowsIn y, int64_t rows, int64_t cols, Real* dots) noexcept;
  // out_r = x_r / divisors[r], and x_r where that is 0
  void (*divide)(RowsIn x, const Real* divisors, int64_t rows, int64_t cols, RowsOut out) noexcept;
  // dx_r = (g_r - y_r <y_r, g_r>) / norms[r], and 0 where that is 0
  void (*unit_backward)(RowsIn y, const Real* norms, RowsIn g, int64_t rows, int64_t cols, RowsOut dx) noexcept;
  // out_r = factors[r] x_r
  void (*scale)(RowsIn x, const Real* factors, int64_t rows, int64_t cols, RowsOut out) noexcept;
  // out_r = x_r + v
  void (*add)(RowsIn x, const Real* v, int64_t rows, int64_t cols, RowsOut out) noexcept;
};

extern const RowKernels kRowsGeneric;
extern const RowKernels kRowsAvx2;
extern const RowKernels kRowsAvx512;

}  // namespace graphveil::kernels::isa
