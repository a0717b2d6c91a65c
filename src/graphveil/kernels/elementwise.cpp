#include "graphveil/kernels/elementwise.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

template <typename View>
bool same_shape(ConstMatrixView x, const View& y) {
  return x.rows == y.rows && x.cols == y.cols;
}

// body(r, begin, end) for runs of columns of every row. A contiguous matrix counts as one long row.
template <typename Body>
void each_run(MatrixView out, bool contiguous, Body body) {
  constexpr int64_t kRun = 16384;
  if (contiguous) return parallel_for(out.size(), kRun, [&](int64_t begin, int64_t end) { body(0, begin, end); });
  parallel_for(out.rows, rows_per_piece(out.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) body(r, 0, out.cols);
  });
}

template <typename Op>
void unary(ConstMatrixView x, MatrixView out, Op op) {
  assert(same_shape(x, out));
  each_run(out, x.contiguous() && out.contiguous(), [&](int64_t r, int64_t begin, int64_t end) {
    const Real* a = x.data + r * x.stride;
    Real* o = out.data + r * out.stride;
    for (int64_t c = begin; c < end; ++c) op(a[c], o[c]);
  });
}

template <typename Op>
void binary(ConstMatrixView x, ConstMatrixView y, MatrixView out, Op op) {
  assert(same_shape(x, y) && same_shape(x, out));
  const bool contiguous = x.contiguous() && y.contiguous() && out.contiguous();
  each_run(out, contiguous, [&](int64_t r, int64_t begin, int64_t end) {
    const Real* a = x.data + r * x.stride;
    const Real* b = y.data + r * y.stride;
    Real* o = out.data + r * out.stride;
    for (int64_t c = begin; c < end; ++c) op(a[c], b[c], o[c]);
  });
}

}  // namespace

void fill(MatrixView out, Real value) {
  each_run(out, out.contiguous(), [&](int64_t r, int64_t begin, int64_t end) {
    std::fill(out.data + r * out.stride + begin, out.data + r * out.stride + end, value);
  });
}

void copy(ConstMatrixView x, MatrixView out) {
  assert(same_shape(x, out));
  each_run(out, x.contiguous() && out.contiguous(), [&](int64_t r, int64_t begin, int64_t end) {
    std::copy(x.data + r * x.stride + begin, x.data + r * x.stride + end, out.data + r * out.stride + begin);
  });
}

void scale(Real alpha, ConstMatrixView x, MatrixView out) {
  unary(x, out, [alpha](Real a, Real& o) { o = alpha * a; });
}

void axpy(Real alpha, ConstMatrixView x, MatrixView y) {
  unary(x, y, [alpha](Real a, Real& o) { o += alpha * a; });
}

void add(ConstMatrixView x, ConstMatrixView y, MatrixView out) {
  binary(x, y, out, [](Real a, Real b, Real& o) { o = a + b; });
}

void subtract(ConstMatrixView x, ConstMatrixView y, MatrixView out) {
  binary(x, y, out, [](Real a, Real b, Real& o) { o = a - b; });
}

void multiply(ConstMatrixView x, ConstMatrixView y, MatrixView out) {
  binary(x, y, out, [](Real a, Real b, Real& o) { o = a * b; });
}

}  // namespace graphveil::kernels
