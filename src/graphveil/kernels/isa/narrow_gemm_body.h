// Dense product with few columns, compiled once per level. `Rows` rows of c times `Count` registers of columns stay
// in registers while the depth is walked once: each step loads one row of b and one scalar of each row of a.
#pragma once

#include "graphveil/kernels/isa/narrow_gemm.h"
#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

constexpr int kMaxCount = 2;

template <int Rows, int Count>
inline void multiply_rows(const NarrowProduct& p, int64_t row) {
  const Real* a = p.a + row * p.a_stride;
  const Real* b = p.b;
  Reals sums[Rows][Count] = {};
  for (int64_t k = 0; k < p.depth; ++k, b += Count * kLanes) {
    Reals columns[Count];
    for (int v = 0; v < Count; ++v) columns[v] = load<kLanes>(b + v * kLanes);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Count; ++v) sums[r][v] += columns[v] * a[r * p.a_stride + k];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    Real* c = p.c + (row + r) * p.c_stride;
    for (int v = 0; v < Count; ++v) {
      const int64_t rest = p.cols - v * kLanes;
      Real* target = c + v * kLanes;
      Reals value = sums[r][v] * p.alpha;
      if (rest >= kLanes) {
        if (p.beta != 0) value += load<kLanes>(target) * p.beta;
        store<kLanes>(target, value);
      } else {
        if (p.beta != 0) value += load_first(target, rest, 0) * p.beta;
        store_first(target, rest, value);
      }
    }
  }
}

template <int Count>
inline void multiply_all(const NarrowProduct& p, int64_t begin, int64_t end) {
  constexpr int kRows = Count == 1 ? 8 : 6;
  int64_t row = begin;
  for (; row + kRows <= end; row += kRows) multiply_rows<kRows, Count>(p, row);
  for (; row < end; ++row) multiply_rows<1, Count>(p, row);
}

void narrow_multiply(const NarrowProduct& p, int64_t begin, int64_t end) noexcept {
  p.cols <= kLanes ? multiply_all<1>(p, begin, end) : multiply_all<kMaxCount>(p, begin, end);
}

constexpr NarrowGemmKernels kNarrowGemmTable{
    .lanes = kLanes, .max_width = int64_t{kMaxCount} * kLanes, .multiply = narrow_multiply};

}  // namespace
}  // namespace graphveil::kernels::isa
