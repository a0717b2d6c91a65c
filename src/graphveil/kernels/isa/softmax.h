// What the levels of the softmax share: plain structs, no functions.
#pragma once

#include <cstdint>

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {

// Rows of cols >= 1 entries, strides apart. y may be x.
struct SoftmaxRows {
  const Real* x;
  int64_t x_stride;
  Real* y;
  int64_t y_stride;
  int64_t cols;
};

struct SoftmaxKernels {
  // y = softmax(x) for rows [begin, end). Where largest and totals are given, entry r - begin of them keeps the
  // maximum of row r and the sum of exp(x - maximum).
  void (*softmax)(const SoftmaxRows& rows, int64_t begin, int64_t end, Real* largest, Real* totals) noexcept;
  // y = log softmax(x).
  void (*log_softmax)(const SoftmaxRows& rows, int64_t begin, int64_t end) noexcept;
  // dx = g - exp(y) sum(g): x is y, y is dx, g comes apart with its stride.
  void (*log_softmax_backward)(const SoftmaxRows& rows, const Real* g, int64_t g_stride, int64_t begin,
                               int64_t end) noexcept;
};

extern const SoftmaxKernels kSoftmaxGeneric;
extern const SoftmaxKernels kSoftmaxAvx2;
extern const SoftmaxKernels kSoftmaxAvx512;

}  // namespace graphveil::kernels::isa
