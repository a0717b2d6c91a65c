#include "graphveil/kernels/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/activation.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/softmax.h"

namespace graphveil::kernels {
namespace {

// An exponential counts as a few plain operations.
int64_t row_grain(int64_t cols) { return rows_per_piece(cols * 4); }

isa::SoftmaxRows rows_of(ConstMatrixView x, MatrixView y) {
  return {.x = x.data, .x_stride = x.stride, .y = y.data, .y_stride = y.stride, .cols = x.cols};
}

template <typename Body>
void each_softmax_row(int64_t rows, int64_t cols, Body body) {
  parallel_for(rows, row_grain(cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) body(r);
  });
}

}  // namespace

void softmax(ConstMatrixView x, MatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  if (x.cols == 0) return;
  const isa::SoftmaxKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSoftmax);
  parallel_for(x.rows, row_grain(x.cols),
               [&](int64_t begin, int64_t end) { kernels.softmax(rows_of(x, y), begin, end, nullptr, nullptr); });
}

void softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_softmax_row(y.rows, y.cols, [&](int64_t r) {
    const Real* value = y.data + r * y.stride;
    const Real* gradient = g.data + r * g.stride;
    Real* out = dx.data + r * dx.stride;
    Real inner = 0;
    for (int64_t c = 0; c < y.cols; ++c) inner += value[c] * gradient[c];
    for (int64_t c = 0; c < y.cols; ++c) out[c] = value[c] * (gradient[c] - inner);
  });
}

void log_softmax(ConstMatrixView x, MatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  if (x.cols == 0) return;
  const isa::SoftmaxKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSoftmax);
  parallel_for(x.rows, row_grain(x.cols),
               [&](int64_t begin, int64_t end) { kernels.log_softmax(rows_of(x, y), begin, end); });
}

void log_softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  const isa::SoftmaxKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSoftmax);
  parallel_for(y.rows, row_grain(y.cols), [&](int64_t begin, int64_t end) {
    kernels.log_softmax_backward(rows_of(y, dx), g.data, g.stride, begin, end);
  });
}

void cross_entropy(ConstMatrixView x, std::span<const int32_t> labels, std::span<Real> losses,
                   MatrixView probabilities) {
  assert(x.rows == probabilities.rows && x.cols == probabilities.cols);
  assert(static_cast<int64_t>(labels.size()) == x.rows && static_cast<int64_t>(losses.size()) == x.rows);
  if (x.cols == 0) return std::fill(losses.begin(), losses.end(), Real(0));
  const isa::SoftmaxKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kSoftmax);
  parallel_for(x.rows, row_grain(x.cols), [&](int64_t begin, int64_t end) {
    // The scores of the labels are kept first: the probabilities may be written over them.
    for (int64_t r = begin; r < end; ++r) {
      assert(labels[r] >= -1 && labels[r] < x.cols);
      losses[r] = labels[r] >= 0 ? x(r, labels[r]) : Real(0);
    }
    thread_local std::vector<Real> largest, totals;  // kept, so that a repeated call allocates nothing
    largest.resize(static_cast<size_t>(end - begin));
    totals.resize(largest.size());
    kernels.softmax(rows_of(x, probabilities), begin, end, largest.data(), totals.data());
    // -log(exp(score - largest) / total).
    for (int64_t r = begin; r < end; ++r) {
      losses[r] = labels[r] >= 0 ? std::log(totals[r - begin]) - (losses[r] - largest[r - begin]) : Real(0);
    }
  });
}

void cross_entropy_backward(ConstMatrixView probabilities, std::span<const int32_t> labels,
                            std::span<const Real> weights, MatrixView dx) {
  assert(dx.rows == probabilities.rows && dx.cols == probabilities.cols);
  assert(static_cast<int64_t>(labels.size()) == dx.rows && static_cast<int64_t>(weights.size()) == dx.rows);
  each_softmax_row(dx.rows, dx.cols, [&](int64_t r) {
    const Real* p = probabilities.data + r * probabilities.stride;
    Real* out = dx.data + r * dx.stride;
    const Real weight = labels[r] >= 0 ? weights[r] : Real(0);
    for (int64_t c = 0; c < dx.cols; ++c) out[c] = weight * p[c];
    if (labels[r] >= 0) out[labels[r]] -= weight;
  });
}

namespace {

// body(first row, last row) for every segment, in parallel.
template <typename Body>
void each_segment(std::span<const int64_t> offsets, int64_t rows, int64_t cols, Body body) {
  const int64_t segments = static_cast<int64_t>(offsets.size()) - 1;
  const int64_t mean_rows = segments > 0 ? rows / segments + 1 : 1;
  parallel_for(segments, rows_per_piece(mean_rows * cols * 4), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) body(offsets[s], offsets[s + 1]);
  });
}

}  // namespace

void segment_softmax(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  const isa::ActivationKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kActivation);
  each_segment(offsets, x.rows, x.cols, [&](int64_t begin, int64_t end) {
    // Column by column: the maximum comes off ...
    for (int64_t c = 0; begin < end && c < x.cols; ++c) {
      Real largest = x(begin, c);
      for (int64_t r = begin; r < end; ++r) largest = std::max(largest, x(r, c));
      for (int64_t r = begin; r < end; ++r) y(r, c) = x(r, c) - largest;
    }
    // ... then all exponentials of the segment at once ...
    if (y.contiguous()) {
      Real* first = y.data + begin * y.stride;
      kernels.exponential(first, first, (end - begin) * y.cols);
    } else {
      for (int64_t r = begin; r < end; ++r) {
        kernels.exponential(y.data + r * y.stride, y.data + r * y.stride, y.cols);
      }
    }
    // ... then the division by the sum.
    for (int64_t c = 0; c < x.cols; ++c) {
      Real total = 0;
      for (int64_t r = begin; r < end; ++r) total += y(r, c);
      const Real inverse = 1 / total;
      for (int64_t r = begin; r < end; ++r) y(r, c) *= inverse;
    }
  });
}

void segment_softmax_backward(std::span<const int64_t> offsets, ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_segment(offsets, y.rows, y.cols, [&](int64_t begin, int64_t end) {
    for (int64_t c = 0; c < y.cols; ++c) {
      Real inner = 0;
      for (int64_t r = begin; r < end; ++r) inner += y(r, c) * g(r, c);
      for (int64_t r = begin; r < end; ++r) dx(r, c) = y(r, c) * (g(r, c) - inner);
    }
  });
}

}  // namespace graphveil::kernels
