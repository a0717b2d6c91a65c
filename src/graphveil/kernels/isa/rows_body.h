// Operations on one row after the other, compiled once per level.
#pragma once

#include "graphveil/kernels/isa/rows.h"
#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

// The sum of the lanes, by halves.
template <int Lanes>
inline Real sum_of_lanes(Vector<Lanes> v) {
  if constexpr (Lanes == 1) {
    return v;
  } else if constexpr (Lanes <= 4) {
    Real sum = 0;
    for (int l = 0; l < Lanes / 2; ++l) sum += v[l] + v[l + Lanes / 2];
    return sum;
  } else {
    Vector<Lanes / 2> low, high;
    __builtin_memcpy(&low, &v, sizeof(low));
    __builtin_memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof(low), sizeof(high));
    return sum_of_lanes<Lanes / 2>(low + high);
  }
}

// A sum goes over so many lanes at every level, so that it is the same bits with registers of any length.
constexpr int kSumLanes = 16;
constexpr int kParts = kSumLanes / kLanes;

// sums += the products of columns c to the last multiple of Groups kSumLanes after it; Groups sums do not wait for each
// other.
template <int Groups>
inline void add_products(const Real* x, const Real* y, int64_t& c, int64_t cols, Reals (&sums)[kParts]) {
  Reals apart[Groups][kParts] = {};
  for (; c + Groups * kSumLanes <= cols; c += Groups * kSumLanes) {
    for (int g = 0; g < Groups; ++g) {
      for (int p = 0; p < kParts; ++p) {
        const int64_t at = c + g * kSumLanes + p * kLanes;
        apart[g][p] += load<kLanes>(x + at) * load<kLanes>(y + at);
      }
    }
  }
  for (int g = 0; g < Groups; ++g) {
    for (int p = 0; p < kParts; ++p) sums[p] += apart[g][p];
  }
}

inline Real row_dot(const Real* x, const Real* y, int64_t cols) {
  Reals sums[kParts] = {};
  int64_t c = 0;
  if (cols >= 8 * kSumLanes) add_products<4>(x, y, c, cols, sums);
  add_products<1>(x, y, c, cols, sums);
  for (int p = 0; p < kParts; ++p) {
    const int64_t at = c + p * kLanes, rest = cols - at;
    if (rest >= kLanes) {
      sums[p] += load<kLanes>(x + at) * load<kLanes>(y + at);
    } else if (rest > 0) {
      sums[p] += load_first(x + at, rest, 0) * load_first(y + at, rest, 0);
    }
  }
  for (int half = kParts / 2; half > 0; half /= 2) {
    for (int p = 0; p < half; ++p) sums[p] += sums[p + half];
  }
  return sum_of_lanes<kLanes>(sums[0]);
}

void rows_dots(RowsIn x, RowsIn y, int64_t rows, int64_t cols, Real* dots) noexcept {
  for (int64_t r = 0; r < rows; ++r) dots[r] = row_dot(x.data + r * x.stride, y.data + r * y.stride, cols);
}

void rows_divide(RowsIn x, const Real* divisors, int64_t rows, int64_t cols, RowsOut out) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* in = x.data + r * x.stride;
    Real* to = out.data + r * out.stride;
    const Real divisor = divisors[r] > 0 ? divisors[r] : Real(1);
    each_register(cols, [&](int64_t c, auto read, auto write) { write(to + c, read(in + c) / divisor); });
  }
}

void rows_unit_backward(RowsIn y, const Real* norms, RowsIn g, int64_t rows, int64_t cols, RowsOut dx) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* value = y.data + r * y.stride;
    const Real* gradient = g.data + r * g.stride;
    Real* out = dx.data + r * dx.stride;
    const Real inner = row_dot(value, gradient, cols);
    const Real factor = norms[r] > 0 ? 1 / norms[r] : Real(0);
    each_register(cols, [&](int64_t c, auto read, auto write) {
      write(out + c, (read(gradient + c) - read(value + c) * inner) * factor);
    });
  }
}

void rows_scale(RowsIn x, const Real* factors, int64_t rows, int64_t cols, RowsOut out) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* in = x.data + r * x.stride;
    Real* to = out.data + r * out.stride;
    const Real factor = factors[r];
    each_register(cols, [&](int64_t c, auto read, auto write) { write(to + c, read(in + c) * factor); });
  }
}

void rows_add(RowsIn x, const Real* v, int64_t rows, int64_t cols, RowsOut out) noexcept {
  for (int64_t r = 0; r < rows; ++r) {
    const Real* in = x.data + r * x.stride;
    Real* to = out.data + r * out.stride;
    each_register(cols, [&](int64_t c, auto read, auto write) { write(to + c, read(in + c) + read(v + c)); });
  }
}

constexpr RowKernels kRowsTable{.dots = rows_dots,
                                .divide = rows_divide,
                                .unit_backward = rows_unit_backward,
                                .scale = rows_scale,
                                .add = rows_add};

}  // namespace
}  // namespace graphveil::kernels::isa
