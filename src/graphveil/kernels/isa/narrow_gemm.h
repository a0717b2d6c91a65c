// What the levels of the small dense products share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// c = alpha a b + beta c for a c of few columns.
struct NarrowProduct {
  const Real* a;  // rows x depth
  int64_t a_stride;
  const Real* b;  // depth rows of `padded` scalars: the columns of c, then zeros
  Real* c;
  int64_t c_stride;
  int64_t depth;
  int64_t cols;
  Real alpha;
  Real beta;                   // 0: c is not read
  const Real* bias = nullptr;  // added to every row of c, where there is one
};

// c = alpha aᵀ b + beta c for a c of few rows or columns, whose sums are long.
struct OuterProduct {
  const Real* a;  // depth x rows of c
  int64_t a_stride;
  const Real* b;  // depth x cols
  int64_t b_stride;
  Real* c;
  int64_t c_stride;
  int64_t depth;
  int64_t cols;
  Real alpha;
  Real beta;  // 0: c is not read
};

struct NarrowGemmKernels {
  int64_t lanes;      // b is padded to a multiple of this ...
  int64_t max_width;  // ... and to no more than this
  // Rows [begin, end) of c.
  void (*multiply)(const NarrowProduct& product, int64_t begin, int64_t end) noexcept;
  // Rows [begin, end) of c.
  void (*outer)(const OuterProduct& product, int64_t begin, int64_t end) noexcept;
};

extern const NarrowGemmKernels kNarrowGemmGeneric;
extern const NarrowGemmKernels kNarrowGemmAvx2;
extern const NarrowGemmKernels kNarrowGemmAvx512;

}  // namespace graphveil::kernels::isa
