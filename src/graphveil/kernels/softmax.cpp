#include "graphveil/kernels/softmax.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

template <typename Body>
void each_row(int64_t rows, int64_t cols, Body body) {
  parallel_for(rows, rows_per_piece(cols * 4), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) body(r);
  });
}

}  // namespace

void softmax(ConstMatrixView x, MatrixView y) {
  assert(x.rows == y.rows && x.cols == y.cols);
  if (x.cols == 0) return;
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* out = y.data + r * y.stride;
    const Real largest = *std::max_element(in, in + x.cols);
    Real total = 0;
    for (int64_t c = 0; c < x.cols; ++c) total += out[c] = std::exp(in[c] - largest);
    for (int64_t c = 0; c < x.cols; ++c) out[c] /= total;
  });
}

void softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_row(y.rows, y.cols, [&](int64_t r) {
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
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* out = y.data + r * y.stride;
    const Real largest = *std::max_element(in, in + x.cols);
    Real total = 0;
    for (int64_t c = 0; c < x.cols; ++c) total += std::exp(in[c] - largest);
    const Real log_total = std::log(total);
    // Subtracting the maximum first is exact where it matters; largest + log_total would round.
    for (int64_t c = 0; c < x.cols; ++c) out[c] = (in[c] - largest) - log_total;
  });
}

void log_softmax_backward(ConstMatrixView y, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_row(y.rows, y.cols, [&](int64_t r) {
    const Real* value = y.data + r * y.stride;
    const Real* gradient = g.data + r * g.stride;
    Real* out = dx.data + r * dx.stride;
    Real total = 0;
    for (int64_t c = 0; c < y.cols; ++c) total += gradient[c];
    for (int64_t c = 0; c < y.cols; ++c) out[c] = gradient[c] - std::exp(value[c]) * total;
  });
}

void cross_entropy(ConstMatrixView x, std::span<const int32_t> labels, std::span<Real> losses,
                   MatrixView probabilities) {
  assert(x.rows == probabilities.rows && x.cols == probabilities.cols);
  assert(static_cast<int64_t>(labels.size()) == x.rows && static_cast<int64_t>(losses.size()) == x.rows);
  each_row(x.rows, x.cols, [&](int64_t r) {
    const Real* in = x.data + r * x.stride;
    Real* out = probabilities.data + r * probabilities.stride;
    const int32_t label = labels[r];
    assert(label >= -1 && label < x.cols);
    const Real largest = x.cols > 0 ? *std::max_element(in, in + x.cols) : Real(0);
    const Real target = label >= 0 ? in[label] - largest : Real(0);
    Real total = 0;
    for (int64_t c = 0; c < x.cols; ++c) total += out[c] = std::exp(in[c] - largest);
    for (int64_t c = 0; c < x.cols; ++c) out[c] /= total;
    losses[r] = label >= 0 ? std::log(total) - target : Real(0);
  });
}

void cross_entropy_backward(ConstMatrixView probabilities, std::span<const int32_t> labels,
                            std::span<const Real> weights, MatrixView dx) {
  assert(dx.rows == probabilities.rows && dx.cols == probabilities.cols);
  assert(static_cast<int64_t>(labels.size()) == dx.rows && static_cast<int64_t>(weights.size()) == dx.rows);
  each_row(dx.rows, dx.cols, [&](int64_t r) {
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
  each_segment(offsets, x.rows, x.cols, [&](int64_t begin, int64_t end) {
    for (int64_t c = 0; begin < end && c < x.cols; ++c) {
      Real largest = x(begin, c);
      for (int64_t r = begin; r < end; ++r) largest = std::max(largest, x(r, c));
      Real total = 0;
      for (int64_t r = begin; r < end; ++r) total += y(r, c) = std::exp(x(r, c) - largest);
      for (int64_t r = begin; r < end; ++r) y(r, c) /= total;
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
