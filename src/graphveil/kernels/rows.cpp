#include "graphveil/kernels/rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/rows.h"

namespace graphveil::kernels {
namespace {

const isa::RowKernels& row_kernels() { return GRAPHVEIL_AT_LEVEL(isa::kRows); }

isa::RowsIn rows_in(ConstMatrixView x, int64_t row) { return {x.data + row * x.stride, x.stride}; }
isa::RowsOut rows_out(MatrixView x, int64_t row) { return {x.data + row * x.stride, x.stride}; }

template <typename Body>
void each_row(int64_t rows, int64_t cols, Body body) {
  parallel_for(rows, rows_per_piece(cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) body(r);
  });
}

// body(first row, number of rows), a few rows at a time: what one pass read the next finds in the inner cache.
template <typename Body>
void each_few_rows(int64_t rows, int64_t cols, Body body) {
  constexpr int64_t kEntries = 4096;
  const int64_t few = rows_per_piece(cols, kEntries);
  parallel_for(rows, rows_per_piece(cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r += few) body(r, std::min(few, end - r));
  });
}

// The norm of a row, given the sum of its squares.
Real norm(Real squares, std::span<const Real> row) {
  if (std::isnan(squares)) return squares;
  // Squares lose bits below the smallest normal number and overflow above the largest: then scale first.
  constexpr Real kSafeLow = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  if (squares > kSafeLow && squares < std::numeric_limits<Real>::infinity()) return std::sqrt(squares);
  Real largest = 0;
  for (const Real value : row) largest = std::max(largest, std::abs(value));
  if (largest == 0 || !(largest < std::numeric_limits<Real>::infinity())) return largest;
  double scaled = 0;
  for (const Real value : row) scaled += double{value / largest} * double{value / largest};
  return largest * static_cast<Real>(std::sqrt(scaled));
}

void few_norms(ConstMatrixView x, int64_t begin, int64_t rows, std::span<Real> norms) {
  Real* here = norms.data() + begin;
  row_kernels().dots(rows_in(x, begin), rows_in(x, begin), rows, x.cols, here);
  for (int64_t r = 0; r < rows; ++r) here[r] = norm(here[r], x.row(begin + r));
}

}  // namespace

void row_norms(ConstMatrixView x, std::span<Real> norms) {
  assert(static_cast<int64_t>(norms.size()) == x.rows);
  each_few_rows(x.rows, x.cols, [&](int64_t begin, int64_t rows) { few_norms(x, begin, rows, norms); });
}

void normalize_rows(ConstMatrixView x, MatrixView out, std::span<Real> norms) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(norms.size()) == x.rows);
  each_few_rows(x.rows, x.cols, [&](int64_t begin, int64_t rows) {
    few_norms(x, begin, rows, norms);
    row_kernels().divide(rows_in(x, begin), norms.data() + begin, rows, x.cols, rows_out(out, begin));
  });
}

void normalize_rows_backward(ConstMatrixView y, std::span<const Real> norms, ConstMatrixView g, MatrixView dx) {
  assert(y.rows == g.rows && y.cols == g.cols && y.rows == dx.rows && y.cols == dx.cols);
  each_few_rows(y.rows, y.cols, [&](int64_t begin, int64_t rows) {
    row_kernels().unit_backward(rows_in(y, begin), norms.data() + begin, rows_in(g, begin), rows, y.cols,
                                rows_out(dx, begin));
  });
}

void scale_rows(ConstMatrixView x, std::span<const Real> scales, MatrixView out) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(scales.size()) == x.rows);
  each_few_rows(x.rows, x.cols, [&](int64_t begin, int64_t rows) {
    row_kernels().scale(rows_in(x, begin), scales.data() + begin, rows, x.cols, rows_out(out, begin));
  });
}

void row_dots(ConstMatrixView x, ConstMatrixView y, std::span<Real> dots) {
  assert(x.rows == y.rows && x.cols == y.cols && static_cast<int64_t>(dots.size()) == x.rows);
  each_few_rows(x.rows, x.cols, [&](int64_t begin, int64_t rows) {
    row_kernels().dots(rows_in(x, begin), rows_in(y, begin), rows, x.cols, dots.data() + begin);
  });
}

void add_row(ConstMatrixView x, std::span<const Real> v, MatrixView out) {
  assert(x.rows == out.rows && x.cols == out.cols && static_cast<int64_t>(v.size()) == x.cols);
  each_few_rows(x.rows, x.cols, [&](int64_t begin, int64_t rows) {
    row_kernels().add(rows_in(x, begin), v.data(), rows, x.cols, rows_out(out, begin));
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
