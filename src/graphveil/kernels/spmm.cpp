#include "graphveil/kernels/spmm.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/grain.h"

namespace graphveil::kernels {
namespace {

// One output row: out (+)= the sum over the stored entries e of the row of value_e x_e.
void row_product(const SparseView& a, int64_t row, ConstMatrixView x, Real* out, Into into) {
  if (into == Into::Overwrite) std::fill(out, out + x.cols, Real(0));
  for (int64_t e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
    const Real value = a.values.empty() ? Real(1) : a.values[e];
    const Real* source = x.data + a.indices[e] * x.stride;
    for (int64_t c = 0; c < x.cols; ++c) out[c] += value * source[c];
  }
}

}  // namespace

void spmm(const SparseView& a, ConstMatrixView x, MatrixView out, Into into) {
  assert(x.rows == a.cols && out.rows == a.rows && out.cols == x.cols);
  const int64_t mean_entries = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  parallel_for(a.rows, rows_per_piece(mean_entries * std::max<int64_t>(x.cols, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) row_product(a, r, x, out.data + r * out.stride, into);
  });
}

void spmm_rows(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out, Into into) {
  assert(x.rows == a.cols && out.rows == static_cast<int64_t>(rows.size()) && out.cols == x.cols);
  const int64_t mean_entries = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  parallel_for(out.rows, rows_per_piece(mean_entries * std::max<int64_t>(x.cols, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) row_product(a, rows[i], x, out.data + i * out.stride, into);
  });
}

namespace {

// Scatters with the columns of x cut in slices: every output entry belongs to one piece and is summed in the
// order of the rows.
template <typename RowOf>
void scatter_product(const SparseView& a, int64_t count, RowOf row_of, ConstMatrixView x, MatrixView out, Into into) {
  constexpr int64_t kSlice = 16;
  parallel_for(x.cols, kSlice, [&](int64_t begin, int64_t end) {
    if (into == Into::Overwrite) {
      for (int64_t r = 0; r < out.rows; ++r) std::fill_n(out.data + r * out.stride + begin, end - begin, Real(0));
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = row_of(i);
      const Real* source = x.data + i * x.stride;
      for (int64_t e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
        const Real value = a.values.empty() ? Real(1) : a.values[e];
        Real* target = out.data + a.indices[e] * out.stride;
        for (int64_t c = begin; c < end; ++c) target[c] += value * source[c];
      }
    }
  });
}

}  // namespace

void spmm_transposed(const SparseView& a, ConstMatrixView x, MatrixView out, Into into) {
  assert(x.rows == a.rows && out.rows == a.cols && out.cols == x.cols);
  scatter_product(
      a, a.rows, [](int64_t i) { return i; }, x, out, into);
}

void spmm_rows_transposed(const SparseView& a, std::span<const int32_t> rows, ConstMatrixView x, MatrixView out,
                          Into into) {
  assert(x.rows == static_cast<int64_t>(rows.size()) && out.rows == a.cols && out.cols == x.cols);
  scatter_product(
      a, x.rows, [&](int64_t i) { return int64_t{rows[i]}; }, x, out, into);
}

void sampled_product(const SparseView& a, ConstMatrixView left, ConstMatrixView right, std::span<Real> out) {
  assert(left.rows == a.rows && right.rows == a.cols && left.cols == right.cols);
  assert(static_cast<int64_t>(out.size()) == a.entries());
  const int64_t mean_entries = a.rows > 0 ? a.entries() / a.rows + 1 : 1;
  parallel_for(a.rows, rows_per_piece(mean_entries * std::max<int64_t>(left.cols, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const Real* x = left.data + r * left.stride;
      for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) {
        const Real* y = right.data + a.indices[e] * right.stride;
        Real sum = 0;
        for (int64_t c = 0; c < left.cols; ++c) sum += x[c] * y[c];
        out[e] = sum;
      }
    }
  });
}

std::vector<int64_t> transpose_sources(const SparseView& a) {
  std::vector<int64_t> next(static_cast<size_t>(a.cols) + 1, 0);
  for (int32_t c : a.indices) ++next[c + 1];
  for (int64_t c = 0; c < a.cols; ++c) next[c + 1] += next[c];
  std::vector<int64_t> sources(a.indices.size());
  for (int64_t e = 0; e < a.entries(); ++e) sources[next[a.indices[e]]++] = e;
  return sources;
}

SparseMatrix transpose(const SparseView& a) {
  // Counting sort by column; rows are visited in order, so indices rise within each new row.
  std::vector<int64_t> offsets(static_cast<size_t>(a.cols) + 1, 0);
  for (int32_t c : a.indices) ++offsets[c + 1];
  for (int64_t c = 0; c < a.cols; ++c) offsets[c + 1] += offsets[c];
  std::vector<int64_t> next(offsets.begin(), offsets.end());
  std::vector<int32_t> indices(a.indices.size());
  std::vector<Real> values(a.values.size());
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) {
      const int64_t place = next[a.indices[e]]++;
      indices[place] = static_cast<int32_t>(r);
      if (!values.empty()) values[place] = a.values[e];
    }
  }
  return {.rows = a.cols,
          .cols = a.rows,
          .offsets = std::move(offsets),
          .indices = std::move(indices),
          .values = std::move(values)};
}

}  // namespace graphveil::kernels
