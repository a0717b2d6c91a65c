// What the levels of the column kernels share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// Rows of a matrix, `stride` apart.
struct ColumnRows {
  const Real* data;
  int64_t stride;
};

// Each over `rows` rows of `cols` columns. Sums go on from what is there, row by row: the bits are those of one call
// for all rows.
struct ColumnKernels {
  // sums += x
  void (*add_sums)(ColumnRows x, int64_t rows, int64_t cols, double* sums) noexcept;
  // sums += x rounded to a multiple of 2^-52 big / 1.5, by adding `big` and taking it off again; one row
  void (*add_rounded)(const Real* x, int64_t cols, double big, double* sums) noexcept;
  // sums += x - shift, squares += (x - shift)^2
  void (*add_moments)(ColumnRows x, int64_t rows, int64_t cols, const Real* shift, double* sums,
                      double* squares) noexcept;
  // sums += g, products += g (x - shift)
  void (*add_products)(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* shift, double* sums,
                       double* products) noexcept;
  // y = (x - shift) scale + offset
  void (*scale)(ColumnRows x, int64_t rows, int64_t cols, const Real* shift, const Real* scale, const Real* offset,
                Real* y, int64_t y_stride) noexcept;
  // y = g g_scale + (x - shift) scale + offset; y may be g.
  void (*combine)(ColumnRows g, ColumnRows x, int64_t rows, int64_t cols, const Real* g_scale, const Real* shift,
                  const Real* scale, const Real* offset, Real* y, int64_t y_stride) noexcept;
};

extern const ColumnKernels kColumnsGeneric;
extern const ColumnKernels kColumnsAvx2;
extern const ColumnKernels kColumnsAvx512;

}  // namespace graphveil::kernels::isa
