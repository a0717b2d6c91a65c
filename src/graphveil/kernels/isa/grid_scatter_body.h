// The rounded scatter, compiled once per level. A product of two floats is exact in double, and so is a sum of
// multiples of the grid: every level and every order gives the same bits. Narrow products are exact too; their sums in
// double are rounded in one order on every level, fused or not.
#pragma once

#include "graphveil/kernels/isa/grid_scatter.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace graphveil::kernels::isa {
namespace {

#if defined(__AVX512F__)

template <int Vectors>
void scatter(const GridScatter& s, int64_t begin, int64_t end) noexcept {
  const __m512d big = _mm512_set1_pd(s.big);
  const auto last = static_cast<__mmask8>((1u << (s.cols - 8 * (Vectors - 1))) - 1);
  for (int64_t i = begin; i < end; ++i) {
    if (s.factors[i] == 0) continue;
    __m512d g[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      const __mmask16 mask = v + 1 < Vectors ? 0xff : last;
      g[v] = _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_maskz_loadu_ps(mask, s.g + i * s.g_stride + 8 * v)));
    }
    const int64_t row = s.picked != nullptr ? s.picked[i] : i;
    for (int64_t e = s.offsets[row]; e < s.offsets[row + 1]; ++e) {
      const __m512d a = _mm512_set1_pd(s.values != nullptr ? static_cast<double>(s.values[e]) : 1.0);
      double* to = s.sums + s.indices[e] * s.stride;
      for (int v = 0; v < Vectors; ++v) {
        const __mmask8 mask = v + 1 < Vectors ? 0xff : last;
        const __m512d rounded = _mm512_sub_pd(_mm512_add_pd(_mm512_mul_pd(a, g[v]), big), big);
        _mm512_mask_storeu_pd(to + 8 * v, mask, _mm512_add_pd(_mm512_maskz_loadu_pd(mask, to + 8 * v), rounded));
      }
    }
  }
}

// Columns [first, first + Columns) of a: their sums stay in registers while the rows are walked.
template <int Vectors, int Columns>
void outer_block(const NarrowOuter& s, int64_t begin, int64_t end, int64_t first) noexcept {
  const auto last = static_cast<__mmask8>((1u << (s.cols - 8 * (Vectors - 1))) - 1);
  __m512d sums[Columns][Vectors];
  double* to = s.sums + first * s.stride;
  for (int j = 0; j < Columns; ++j) {
    for (int v = 0; v < Vectors; ++v) sums[j][v] = _mm512_loadu_pd(to + j * s.stride + 8 * v);
  }
  for (int64_t i = begin; i < end; ++i) {
    __m512d g[Vectors];
    for (int v = 0; v < Vectors; ++v) {
      const __mmask16 mask = v + 1 < Vectors ? 0xff : last;
      g[v] = _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_maskz_loadu_ps(mask, s.g + i * s.g_stride + 8 * v)));
    }
    const Real* row = s.a + i * s.a_stride + first;
    for (int j = 0; j < Columns; ++j) {
      const __m512d a = _mm512_set1_pd(static_cast<double>(row[j]));
      for (int v = 0; v < Vectors; ++v) sums[j][v] = _mm512_fmadd_pd(a, g[v], sums[j][v]);
    }
  }
  for (int j = 0; j < Columns; ++j) {
    for (int v = 0; v < Vectors; ++v) _mm512_storeu_pd(to + j * s.stride + 8 * v, sums[j][v]);
  }
}

template <int Vectors>
void outer(const NarrowOuter& s, int64_t begin, int64_t end) noexcept {
  constexpr int kColumns = Vectors <= 2 ? 8 : 4;
  int64_t j = 0;
  for (; j + kColumns <= s.a_cols; j += kColumns) outer_block<Vectors, kColumns>(s, begin, end, j);
  for (; j < s.a_cols; ++j) outer_block<Vectors, 1>(s, begin, end, j);
}

void narrow_outer(const NarrowOuter& s, int64_t begin, int64_t end) noexcept {
  switch ((s.cols + 7) / 8) {
    case 1: return outer<1>(s, begin, end);
    case 2: return outer<2>(s, begin, end);
    case 3: return outer<3>(s, begin, end);
    default: return outer<4>(s, begin, end);
  }
}

void grid_scatter_add(const GridScatter& s, int64_t begin, int64_t end) noexcept {
  switch ((s.cols + 7) / 8) {
    case 1: return scatter<1>(s, begin, end);
    case 2: return scatter<2>(s, begin, end);
    case 3: return scatter<3>(s, begin, end);
    default: return scatter<4>(s, begin, end);
  }
}

#else

void narrow_outer(const NarrowOuter& s, int64_t begin, int64_t end) noexcept {
  for (int64_t i = begin; i < end; ++i) {
    const Real* g = s.g + i * s.g_stride;
    for (int64_t j = 0; j < s.a_cols; ++j) {
      const auto a = static_cast<double>(s.a[i * s.a_stride + j]);
      double* to = s.sums + j * s.stride;
      for (int64_t k = 0; k < s.cols; ++k) to[k] += a * static_cast<double>(g[k]);
    }
  }
}

void grid_scatter_add(const GridScatter& s, int64_t begin, int64_t end) noexcept {
  for (int64_t i = begin; i < end; ++i) {
    if (s.factors[i] == 0) continue;
    const Real* g = s.g + i * s.g_stride;
    const int64_t row = s.picked != nullptr ? s.picked[i] : i;
    for (int64_t e = s.offsets[row]; e < s.offsets[row + 1]; ++e) {
      const double a = s.values != nullptr ? static_cast<double>(s.values[e]) : 1.0;
      double* to = s.sums + s.indices[e] * s.stride;
      for (int64_t k = 0; k < s.cols; ++k) to[k] += (a * static_cast<double>(g[k]) + s.big) - s.big;
    }
  }
}

#endif

constexpr GridScatterKernels kGridScatterTable{.add = grid_scatter_add, .outer = narrow_outer};

}  // namespace
}  // namespace graphveil::kernels::isa
