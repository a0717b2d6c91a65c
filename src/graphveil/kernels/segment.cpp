#include "graphveil/kernels/segment.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

// body(s, first row, last row) for every segment, in parallel.
template <typename Body>
void each_segment(std::span<const int64_t> offsets, int64_t cols, Body body) {
  const int64_t segments = static_cast<int64_t>(offsets.size()) - 1;
  if (segments <= 0) return;
  const int64_t mean_rows = (offsets[segments] - offsets[0]) / segments + 1;
  parallel_for(segments, rows_per_piece(mean_rows * cols), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) body(s, offsets[s], offsets[s + 1]);
  });
}

// How much each row of a segment counts: 1 for the sum, 1 / rows for the mean.
template <typename Weight>
void weighted_sum(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out, Weight weight) {
  assert(out.cols == x.cols && out.rows == static_cast<int64_t>(offsets.size()) - 1);
  each_segment(offsets, x.cols, [&](int64_t s, int64_t begin, int64_t end) {
    Real* sums = out.data + s * out.stride;
    std::fill_n(sums, x.cols, Real(0));
    for (int64_t r = begin; r < end; ++r) {
      const Real* row = x.data + r * x.stride;
      for (int64_t c = 0; c < x.cols; ++c) sums[c] += row[c];
    }
    const Real factor = weight(end - begin);
    if (factor != 1) {
      for (int64_t c = 0; c < x.cols; ++c) sums[c] *= factor;
    }
  });
}

template <typename Weight>
void weighted_spread(std::span<const int64_t> offsets, ConstMatrixView g, MatrixView dx, Weight weight) {
  assert(dx.cols == g.cols && g.rows == static_cast<int64_t>(offsets.size()) - 1);
  each_segment(offsets, g.cols, [&](int64_t s, int64_t begin, int64_t end) {
    const Real* gradient = g.data + s * g.stride;
    const Real factor = weight(end - begin);
    for (int64_t r = begin; r < end; ++r) {
      Real* row = dx.data + r * dx.stride;
      for (int64_t c = 0; c < g.cols; ++c) row[c] = factor * gradient[c];
    }
  });
}

Real one(int64_t) { return 1; }
Real inverse(int64_t rows) { return rows > 0 ? Real(1) / static_cast<Real>(rows) : Real(1); }

}  // namespace

void segment_sum(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out) {
  weighted_sum(offsets, x, out, one);
}

void segment_sum_backward(std::span<const int64_t> offsets, ConstMatrixView g, MatrixView dx) {
  weighted_spread(offsets, g, dx, one);
}

void segment_mean(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out) {
  weighted_sum(offsets, x, out, inverse);
}

void segment_mean_backward(std::span<const int64_t> offsets, ConstMatrixView g, MatrixView dx) {
  weighted_spread(offsets, g, dx, inverse);
}

void segment_max(std::span<const int64_t> offsets, ConstMatrixView x, MatrixView out, std::span<int64_t> arg) {
  assert(out.cols == x.cols && out.rows == static_cast<int64_t>(offsets.size()) - 1);
  assert(static_cast<int64_t>(arg.size()) == out.size());
  each_segment(offsets, x.cols, [&](int64_t s, int64_t begin, int64_t end) {
    Real* best = out.data + s * out.stride;
    int64_t* winner = arg.data() + s * x.cols;
    std::fill_n(winner, x.cols, begin < end ? begin : int64_t{-1});
    if (begin == end) return static_cast<void>(std::fill_n(best, x.cols, Real(0)));
    std::copy_n(x.data + begin * x.stride, x.cols, best);
    for (int64_t r = begin + 1; r < end; ++r) {
      const Real* row = x.data + r * x.stride;
      for (int64_t c = 0; c < x.cols; ++c) {
        const bool better = row[c] > best[c];
        best[c] = better ? row[c] : best[c];
        winner[c] = better ? r : winner[c];
      }
    }
  });
}

void segment_max_backward(std::span<const int64_t> arg, ConstMatrixView g, MatrixView dx) {
  assert(static_cast<int64_t>(arg.size()) == g.size() && dx.cols == g.cols);
  for (int64_t r = 0; r < dx.rows; ++r) std::fill_n(dx.data + r * dx.stride, dx.cols, Real(0));
  // Segments share no row of dx, so no two pieces meet.
  parallel_for(g.rows, rows_per_piece(g.cols), [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      for (int64_t c = 0; c < g.cols; ++c) {
        const int64_t winner = arg[s * g.cols + c];
        if (winner >= 0) dx(winner, c) += g(s, c);
      }
    }
  });
}

}  // namespace graphveil::kernels
