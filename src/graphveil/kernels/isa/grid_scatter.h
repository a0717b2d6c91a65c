// What the levels of the rounded scatter share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// Row i of A (x) row i of G for rows [begin, end), each product rounded to a multiple of the grid and added to `sums`.
struct GridScatter {
  const int64_t* offsets;
  const int32_t* indices;
  const Real* values;     // null: all ones
  const int32_t* picked;  // null: row i of A is row i of the matrix; else row picked[i]
  const Real* factors;    // rows with factor 0 are left out
  const Real* g;
  int64_t g_stride;
  int64_t cols;    // of G, at most 32
  double big;      // 1.5 2^52 times the grid
  double* sums;    // of column 0 of G's slice
  int64_t stride;  // of sums, per column of A
};

// Narrow rows of A (x) rows of G, both dense.
struct NarrowOuter {
  const Real* a;
  int64_t a_stride;
  int64_t a_cols;
  const Real* g;
  int64_t g_stride;
  int64_t cols;    // of G, at most 32
  double* sums;    // a_cols rows of cols numbers
  int64_t stride;  // of sums: cols, rounded up to a multiple of 8
};

struct GridScatterKernels {
  void (*add)(const GridScatter& s, int64_t begin, int64_t end) noexcept;
  // sums += the products of rows [begin, end), in double
  void (*outer)(const NarrowOuter& s, int64_t begin, int64_t end) noexcept;
};

extern const GridScatterKernels kGridScatterGeneric;
extern const GridScatterKernels kGridScatterAvx2;
extern const GridScatterKernels kGridScatterAvx512;

}  // namespace graphveil::kernels::isa
