// Softmax by rows, compiled once per level. A row is walked in whole registers and one part of a register at the
// end, whose idle lanes hold the neutral element of what is computed.
#pragma once

#include "graphveil/kernels/isa/exponential.h"
#include "graphveil/kernels/isa/softmax.h"

namespace graphveil::kernels::isa {
namespace {

constexpr Real kLowest = -__builtin_inff();

inline Real row_maximum(const Real* x, int64_t cols) {
  Reals best = splat_real(kLowest);
  int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    const Reals v = load<kLanes>(x + c);
    best = v > best ? v : best;
  }
  if (c < cols) {
    const Reals v = load_first(x + c, cols - c, kLowest);
    best = v > best ? v : best;
  }
  Real largest = best[0];
  for (int l = 1; l < kLanes; ++l) largest = best[l] > largest ? best[l] : largest;
  return largest;
}

inline Real lane_total(Reals sums) {
  Real total = 0;
  for (int l = 0; l < kLanes; ++l) total += sums[l];
  return total;
}

// Sum of exp(x - largest), with the terms stored to y where it is not null.
template <bool Store>
inline Real exponential_sum(const Real* x, Real largest, Real* y, int64_t cols) {
  Reals sums{};
  int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    const Reals v = exponential(load<kLanes>(x + c) - largest);
    sums += v;
    if constexpr (Store) store<kLanes>(y + c, v);
  }
  if (c < cols) {
    const Reals v = exponential(load_first(x + c, cols - c, largest) - largest);
    if constexpr (Store) store_first(y + c, cols - c, v);
    sums += keep_first(v, cols - c);
  }
  return lane_total(sums);
}

// kLanes narrow rows at once, one row per lane: a row of six columns would leave most of a register idle.
inline void softmax_of_narrow_rows(const SoftmaxRows& rows, int64_t first, Real* largest, Real* totals) {
  Reals columns[kLanes];
  for (int64_t c = 0; c < rows.cols; ++c) {
    Reals column{};
    for (int64_t l = 0; l < kLanes; ++l) column[l] = rows.x[(first + l) * rows.x_stride + c];
    columns[c] = column;
  }
  Reals top = splat_real(kLowest);
  for (int64_t c = 0; c < rows.cols; ++c) top = columns[c] > top ? columns[c] : top;
  Reals total{};
  for (int64_t c = 0; c < rows.cols; ++c) {
    columns[c] = exponential(columns[c] - top);
    total += columns[c];
  }
  const Reals inverse = Real(1) / total;
  for (int64_t c = 0; c < rows.cols; ++c) {
    const Reals share = columns[c] * inverse;
    for (int64_t l = 0; l < kLanes; ++l) rows.y[(first + l) * rows.y_stride + c] = share[l];
  }
  if (largest) store<kLanes>(largest, top);
  if (totals) store<kLanes>(totals, total);
}

void softmax_rows(const SoftmaxRows& rows, int64_t begin, int64_t end, Real* largest, Real* totals) noexcept {
  int64_t done = begin;
  if (rows.cols <= kLanes) {
    for (; done + kLanes <= end; done += kLanes) {
      softmax_of_narrow_rows(rows, done, largest ? largest + (done - begin) : nullptr,
                             totals ? totals + (done - begin) : nullptr);
    }
  }
  for (int64_t r = done; r < end; ++r) {
    const Real* x = rows.x + r * rows.x_stride;
    Real* y = rows.y + r * rows.y_stride;
    const Real top = row_maximum(x, rows.cols);
    const Real total = exponential_sum<true>(x, top, y, rows.cols);
    const Real inverse = Real(1) / total;
    for (int64_t c = 0; c < rows.cols; ++c) y[c] *= inverse;
    if (largest) largest[r - begin] = top;
    if (totals) totals[r - begin] = total;
  }
}

void log_softmax_rows(const SoftmaxRows& rows, int64_t begin, int64_t end) noexcept {
  for (int64_t r = begin; r < end; ++r) {
    const Real* x = rows.x + r * rows.x_stride;
    Real* y = rows.y + r * rows.y_stride;
    const Real top = row_maximum(x, rows.cols);
    const Real total = exponential_sum<false>(x, top, y, rows.cols);
    const Real log_total = static_cast<Real>(__builtin_log(static_cast<double>(total)));
    // The maximum comes off first: top + log_total would round away what is small beside a large top.
    for (int64_t c = 0; c < rows.cols; ++c) y[c] = (x[c] - top) - log_total;
  }
}

void log_softmax_backward_rows(const SoftmaxRows& rows, const Real* gradients, int64_t g_stride, int64_t begin,
                               int64_t end) noexcept {
  for (int64_t r = begin; r < end; ++r) {
    const Real* y = rows.x + r * rows.x_stride;
    const Real* g = gradients + r * g_stride;
    Real* dx = rows.y + r * rows.y_stride;
    Real total = 0;
    for (int64_t c = 0; c < rows.cols; ++c) total += g[c];
    int64_t c = 0;
    for (; c + kLanes <= rows.cols; c += kLanes) {
      store<kLanes>(dx + c, load<kLanes>(g + c) - exponential(load<kLanes>(y + c)) * total);
    }
    if (c < rows.cols) {
      const int64_t rest = rows.cols - c;
      store_first(dx + c, rest, load_first(g + c, rest, 0) - exponential(load_first(y + c, rest, 0)) * total);
    }
  }
}

constexpr SoftmaxKernels kSoftmaxTable{
    .softmax = softmax_rows, .log_softmax = log_softmax_rows, .log_softmax_backward = log_softmax_backward_rows};

}  // namespace
}  // namespace graphveil::kernels::isa
