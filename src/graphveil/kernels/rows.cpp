#include "graphveil/kernels/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

// Lanes that are summed apart and joined at the end: lets the compiler use vector registers.
constexpr int64_t kRowLanes = 16;

template <typename Term>
Real lane_sum(int64_t count, Term term) {
  Real lanes[kRowLanes] = {};
  int64_t c = 0;
  for (; c + kRowLanes <= count; c += kRowLanes) {
    for (int64_t l = 0; l < kRowLanes; ++l) lanes[l] += term(c + l);
  }
  for (; c < count; ++c) lanes[c % kRowLanes] += term(c);
  for (int64_t width = kRowLanes / 2; width > 0; width /= 2) {
    for (int64_t l = 0; l < width; ++l) lanes[l] += lanes[l + width];
  }
  return lanes[0];
}

// <a, b>, the lanes in four registers of the plain instruction set: an array of lanes would go through memory.
Real lane_dot(const Real* a, const Real* b, int64_t count) {
  typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), aligned(sizeof(Real)), may_alias));
  const auto product = [&](int64_t c) {
    return *reinterpret_cast<const Four*>(a + c) * *reinterpret_cast<const Four*>(b + c);
  };
  Four first{}, second{}, third{}, fourth{};
  int64_t c = 0;
  for (; c + kRowLanes <= count; c += kRowLanes) {
    first += product(c);
    second += product(c + 4);
    third += product(c + 8);
    fourth += product(c + 12);
  }
  Real rest = 0;
  for (; c < count; ++c) rest += a[c] * b[c];
  const Four sums = (first + third) + (second + fourth);
  return (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest;
}

template <typename Body>
void each_row(int64_t rows, int64_t cols, Body body) {
  parallel_for(rows, rows_per_piece(cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) body(r);
  });
}

Real norm(const Real* x, int64_t count) {
  const Real squares = lane_dot(x, x, count);
  if (std::isnan(squares)) return squares;
  // Squares lose bits below the smallest normal number and overflow above the largest: then scale first.
  constexpr Real kSafeLow = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  if (squares > kSafeLow && squares < std::numeric_limits<Real>::infinity()) return std::sqrt(squares);
  Real largest = 0;
  for (int64_t c = 0; c < count; ++c) largest = std::max(largest, std::abs(x[c]));
  if (largest == 0 || !(largest < std::numeric_limits<Real>::infinity())) return largest;
  const Real scaled = lane_sum(count, [&](int64_t c) { return (x[c] / largest) * (x[c] / largest); });
  return largest * std::sqrt(scaled);
}

}  // namespace

void row_norms(ConstMatrixView x, std::span<Real> norms) {
  assert(static_cast<int64_t>(norms.size()) == x.rows);
  each_row(x.rows, x.cols, [&](int64_t r) { norms[r] = norm(x.data + r * x.stride, x.cols); });
}

void normalize_rows(ConstMatrixView x, MatrixView out, std::span<Real> norms) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(norms.size()) == x.rows);
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* y = out.data + r * out.stride;
    const Real length = norms[r] = norm(in, x.cols);
    const Real divisor = length > 0 ? length : Real(1);
    for (int64_t c = 0; c < x.cols; ++c) y[c] = in[c] / divisor;
  });
}

void normalize_rows_backward(ConstMatrixView y, std::span<const Real> norms, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_row(y.rows, y.cols, [&](int64_t r) {
    const Real* value = y.data + r * y.stride;
    const Real* gradient = g.data + r * g.stride;
    Real* out = dx.data + r * dx.stride;
    const Real inner = lane_dot(value, gradient, y.cols);
    const Real factor = norms[r] > 0 ? 1 / norms[r] : Real(0);
    for (int64_t c = 0; c < y.cols; ++c) out[c] = factor * (gradient[c] - value[c] * inner);
  });
}

void scale_rows(ConstMatrixView x, std::span<const Real> scales, MatrixView out) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(scales.size()) == x.rows);
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* y = out.data + r * out.stride;
    const Real factor = scales[r];
    for (int64_t c = 0; c < x.cols; ++c) y[c] = factor * in[c];
  });
}

void row_dots(ConstMatrixView x, ConstMatrixView y, std::span<Real> dots) {
  assert(x.rows == y.rows && x.cols == y.cols && static_cast<int64_t>(dots.size()) == x.rows);
  each_row(x.rows, x.cols,
           [&](int64_t r) { dots[r] = lane_dot(x.data + r * x.stride, y.data + r * y.stride, x.cols); });
}

void add_row(ConstMatrixView x, std::span<const Real> v, MatrixView out) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(v.size()) == x.cols);
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* y = out.data + r * out.stride;
    for (int64_t c = 0; c < x.cols; ++c) y[c] = in[c] + v[c];
  });
}

void row_argmax(ConstMatrixView x, std::span<int32_t> best) {
  assert(x.cols >= 1 && static_cast<int64_t>(best.size()) == x.rows);
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    best[r] = static_cast<int32_t>(std::max_element(in, in + x.cols) - in);
  });
}

void gather_rows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView out) {
  assert(out.rows == static_cast<int64_t>(rows.size()) && out.cols == x.cols);
  each_row(out.rows, out.cols, [&](int64_t i) {
    assert(rows[i] >= 0 && rows[i] < x.rows);
    std::copy_n(x.data + rows[i] * x.stride, x.cols, out.data + i * out.stride);
  });
}

void scatter_add_rows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView out) {
  assert(x.rows == static_cast<int64_t>(rows.size()) && out.cols == x.cols);
  // A target row may be listed many times, so the columns are what is shared out: each entry of `out` then
  // belongs to one piece, which adds in the order of i.
  const int64_t slice = x.size() < 65536 ? x.cols : 16;
  parallel_for(x.cols, slice, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < x.rows; ++i) {
      assert(rows[i] >= 0 && rows[i] < out.rows);
      const Real* in = x.data + i * x.stride;
      Real* y = out.data + rows[i] * out.stride;
      for (int64_t c = begin; c < end; ++c) y[c] += in[c];
    }
  });
}

}  // namespace graphveil::kernels
