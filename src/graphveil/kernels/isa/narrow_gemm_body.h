// Small dense products, compiled once per level. `Rows` rows of c times `Count` registers of columns stay in registers
// while the depth is walked once: each step loads one row of b and one scalar for each row of c. Every entry of c is
// summed in the order of the depth, wherever it is.
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
  // All loops over rows and registers are unrolled: where one is not, the sums live in memory.
  Reals sums[Rows][Count] = {};
  for (int64_t k = 0; k < p.depth; ++k, b += Count * kLanes) {
    Reals columns[Count];
    for (int v = 0; v < Count; ++v) columns[v] = load<kLanes>(b + v * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 2
      for (int v = 0; v < Count; ++v) sums[r][v] += columns[v] * a[r * p.a_stride + k];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
    Real* c = p.c + (row + r) * p.c_stride;
#pragma GCC unroll 2
    for (int v = 0; v < Count; ++v) {
      const int64_t rest = p.cols - v * kLanes;
      Real* target = c + v * kLanes;
      Reals value = sums[r][v] * p.alpha;
      if (rest >= kLanes) {
        if (p.beta != 0) value += load<kLanes>(target) * p.beta;
        if (p.bias != nullptr) value += load<kLanes>(p.bias + v * kLanes);
        store<kLanes>(target, value);
      } else {
        if (p.beta != 0) value += load_first(target, rest, 0) * p.beta;
        if (p.bias != nullptr) value += load_first(p.bias + v * kLanes, rest, 0);
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

// Rows of c at once: as many as leave registers for the rest of the step.
constexpr int kOuterRows = GRAPHVEIL_VECTOR_BYTES == 64 ? 8 : 4;

// Rows [row, row + Rows) of c, columns [first, first + Count registers); the last register is whole or holds `rest`.
template <int Rows, int Count, bool Whole>
inline void outer_block(const OuterProduct& p, int64_t row, int64_t first, int64_t rest) {
  const Real* a = p.a + row;
  const Real* b = p.b + first;
  const auto read = [&](const Real* from, int v) {
    return Whole || v + 1 < Count ? load<kLanes>(from) : load_first(from, rest, 0);
  };
  Reals sums[Rows][Count] = {};
  for (int64_t k = 0; k < p.depth; ++k, a += p.a_stride, b += p.b_stride) {
    Reals columns[Count];
    for (int v = 0; v < Count; ++v) columns[v] = read(b + v * kLanes, v);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 2
      for (int v = 0; v < Count; ++v) sums[r][v] += columns[v] * a[r];
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < Count; ++v) {
      Real* target = p.c + (row + r) * p.c_stride + first + v * kLanes;
      Reals value = sums[r][v] * p.alpha;
      if (p.beta != 0) value += read(target, v) * p.beta;
      if (Whole || v + 1 < Count) {
        store<kLanes>(target, value);
      } else {
        store_first(target, rest, value);
      }
    }
  }
}

template <int Count, bool Whole>
inline void outer_columns(const OuterProduct& p, int64_t begin, int64_t end, int64_t first, int64_t rest) {
  int64_t row = begin;
  for (; row + kOuterRows <= end; row += kOuterRows) outer_block<kOuterRows, Count, Whole>(p, row, first, rest);
  if constexpr (kOuterRows > 4) {
    for (; row + 4 <= end; row += 4) outer_block<4, Count, Whole>(p, row, first, rest);
  }
  for (; row + 2 <= end; row += 2) outer_block<2, Count, Whole>(p, row, first, rest);
  if (row < end) outer_block<1, Count, Whole>(p, row, first, rest);
}

void narrow_outer_product(const OuterProduct& p, int64_t begin, int64_t end) noexcept {
  int64_t first = 0;
  for (; first + 2 * kLanes <= p.cols; first += 2 * kLanes) outer_columns<2, true>(p, begin, end, first, kLanes);
  const int64_t rest = p.cols - first;
  if (rest > kLanes) return outer_columns<2, false>(p, begin, end, first, rest - kLanes);
  if (rest == kLanes) return outer_columns<1, true>(p, begin, end, first, kLanes);
  if (rest > 0) outer_columns<1, false>(p, begin, end, first, rest);
}

constexpr NarrowGemmKernels kNarrowGemmTable{.lanes = kLanes,
                                             .max_width = int64_t{kMaxCount} * kLanes,
                                             .multiply = narrow_multiply,
                                             .outer = narrow_outer_product};

}  // namespace
}  // namespace graphveil::kernels::isa
