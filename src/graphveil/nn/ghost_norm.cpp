#include "graphveil/nn/ghost_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/grain.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/nn/buffer.h"

namespace graphveil::nn {
namespace {

using kernels::Transpose;

// Memory of one thread, kept from step to step.
struct Scratch {
  Buffer a, g;                  // the rows of a sample, when they lie apart
  Buffer a_squared, g_squared;  // norms of those rows
  Buffer gram, gram_g;
};

Scratch& scratch() {
  thread_local Scratch memory;
  return memory;
}

// The sample's rows of m next to each other: a window when they are, else a copy.
ConstMatrixView rows_of(int64_t sample, const SampleRows& samples, ConstMatrixView m, Buffer& copy) {
  const int64_t begin = samples.offsets()[static_cast<size_t>(sample)];
  const int64_t count = samples.offsets()[static_cast<size_t>(sample) + 1] - begin;
  if (samples.contiguous()) return m.rows_at(begin, count);
  const MatrixView out = copy.resize(count, m.cols);
  kernels::gather_rows(m, samples.order().subspan(static_cast<size_t>(begin), static_cast<size_t>(count)), out);
  return out;
}

// The same rows picked from `a` by a list.
ConstMatrixView gathered_rows_of(int64_t sample, const SampleRows& samples, ConstMatrixView a,
                                 std::span<const int32_t> rows, Scratch& memory) {
  const auto begin = static_cast<size_t>(samples.offsets()[static_cast<size_t>(sample)]);
  const size_t count = static_cast<size_t>(samples.offsets()[static_cast<size_t>(sample) + 1]) - begin;
  const MatrixView out = memory.a.resize(static_cast<int64_t>(count), a.cols);
  for (size_t i = 0; i < count; ++i) {
    const size_t r = samples.contiguous() ? begin + i : static_cast<size_t>(samples.order()[begin + i]);
    std::copy_n(a.row(rows[r]).data(), a.cols, out.row(static_cast<int64_t>(i)).data());
  }
  return out;
}

// Squares beyond this count as infinite.
constexpr Real kLargestSquare = Real(1e30);
Real trusted(Real square) { return square <= kLargestSquare ? square : std::numeric_limits<Real>::infinity(); }

// A norm is never taken to be less than this share of the sum of the norms of its terms.
constexpr double kCancellationFloor = 1e-4;
double with_floor(double squared_norm, double sum_of_norms) {
  const double floor = kCancellationFloor * sum_of_norms;
  return squared_norm + floor * floor;
}

// Sum over the rows of |a_r| |g_r|, given the squares.
double sum_of_norms(std::span<const Real> a_squared, std::span<const Real> g_squared) {
  double sum = 0;
  for (size_t r = 0; r < a_squared.size(); ++r) {
    sum += std::sqrt(double{trusted(a_squared[r])} * double{trusted(g_squared[r])});
  }
  return sum;
}

double outer_norm(ConstMatrixView a, ConstMatrixView g, Scratch& memory) {
  const int64_t m = a.rows;
  if (m == 0) return 0;
  const std::span<Real> a_squared = memory.a_squared.resize(m);
  const std::span<Real> g_squared = memory.g_squared.resize(m);
  kernels::row_dots(a, a, a_squared);
  kernels::row_dots(g, g, g_squared);
  const double norms = sum_of_norms(a_squared, g_squared);
  if (m == 1 || !std::isfinite(norms)) return norms * norms;
  // Multiplications: m^2 (k + n) for the two Gram matrices, m k n for the product.
  if (m * (a.cols + g.cols) <= a.cols * g.cols) {
    const MatrixView aa = memory.gram.resize(m, m);
    const MatrixView gg = memory.gram_g.resize(m, m);
    kernels::gemm(Transpose::No, Transpose::Yes, 1, a, a, 0, aa);
    kernels::gemm(Transpose::No, Transpose::Yes, 1, g, g, 0, gg);
    const double squared_norm = kernels::dot(ConstMatrixView(aa), ConstMatrixView(gg));
    // The Gram form errs by a share of norms^2, the product by a share of norms: where the rows cancel so far
    // that this matters, form the product after all.
    if (squared_norm >= 1e-2 * norms * norms) return with_floor(squared_norm, norms);
  }
  const MatrixView product = memory.gram.resize(a.cols, g.cols);
  kernels::gemm(Transpose::Yes, Transpose::No, 1, a, g, 0, product);
  return with_floor(kernels::sum_of_squares(ConstMatrixView(product)), norms);
}

void add_one_row_norms(std::span<const Real> a_squared, ConstMatrixView g, MatrixView squared) {
  thread_local Buffer memory;
  const std::span<Real> g_squared = memory.resize(g.rows);
  kernels::row_dots(g, g, g_squared);
  for (int64_t r = 0; r < g.rows; ++r) {
    const auto i = static_cast<size_t>(r);
    squared(r, 0) += trusted(a_squared[i]) * trusted(g_squared[i]);
  }
}

struct SparseRow {
  std::span<const int32_t> columns;
  std::span<const Real> values;  // empty: ones
  Real value(size_t e) const { return values.empty() ? Real(1) : values[e]; }
};

SparseRow sparse_row(const SparseView& a, const RowList& rows, int64_t r) {
  const int64_t row = rows ? (*rows)[static_cast<size_t>(r)] : r;
  const auto begin = static_cast<size_t>(a.offsets[static_cast<size_t>(row)]);
  const auto count = static_cast<size_t>(a.offsets[static_cast<size_t>(row) + 1]) - begin;
  return {a.indices.subspan(begin, count), a.values.empty() ? a.values : a.values.subspan(begin, count)};
}

Real squared_norm_of(const SparseRow& row) {
  Real sum = 0;
  for (size_t e = 0; e < row.columns.size(); ++e) sum += row.value(e) * row.value(e);
  return sum;
}

// The rows of one sample, and the squares of their norms.
struct SparseSample {
  std::vector<SparseRow> a;
  std::vector<std::span<const Real>> g;
  std::vector<Real> a_squared, g_squared;

  void assign(const SparseView& all, const RowList& rows, ConstMatrixView all_g, int64_t sample,
              const SampleRows& samples) {
    a.clear();
    g.clear();
    a_squared.clear();
    g_squared.clear();
    const int64_t end = samples.offsets()[static_cast<size_t>(sample) + 1];
    for (int64_t i = samples.offsets()[static_cast<size_t>(sample)]; i < end; ++i) {
      const int64_t r = samples.contiguous() ? i : samples.order()[static_cast<size_t>(i)];
      a.push_back(sparse_row(all, rows, r));
      g.push_back(all_g.row(r));
      a_squared.push_back(squared_norm_of(a.back()));
      g_squared.push_back(static_cast<Real>(kernels::sum_of_squares(g.back())));
    }
  }
};

// Memory of one thread for sparse samples.
struct SparseScratch {
  SparseSample sample;
  std::vector<Real> c;
  std::vector<Real> column_sums;         // zero between uses
  std::vector<int32_t> place_of_column;  // -1 between uses
  std::vector<int32_t> touched;
  Buffer product;
};

// Rows count as multiples of one vector when what is left of each is at most this share of it.
constexpr double kLeftOver = 1e-5;

// Finds c with g_i = c_i g_l / |g_l|, l the longest row, up to kLeftOver. In a network that is linear up to its scores
// there is one for every sample.
bool multiples_of_one(const SparseSample& sample, std::vector<Real>& c) {
  const auto longest = std::max_element(sample.g_squared.begin(), sample.g_squared.end());
  if (!(*longest > 0)) return false;
  const std::span<const Real> base = sample.g[static_cast<size_t>(longest - sample.g_squared.begin())];
  c.clear();
  for (size_t i = 0; i < sample.g.size(); ++i) {
    const std::span<const Real> row = sample.g[i];
    const Real factor = static_cast<Real>(kernels::dot(row, base) / double{*longest});
    Real left = 0;
    for (size_t j = 0; j < row.size(); ++j) left += (row[j] - factor * base[j]) * (row[j] - factor * base[j]);
    if (!(left <= static_cast<Real>(kLeftOver * kLeftOver) * sample.g_squared[i])) return false;
    c.push_back(factor * std::sqrt(*longest));
  }
  return true;
}

// |sum_i c_i a_i|^2.
double line_norm(const std::vector<SparseRow>& a, const std::vector<Real>& c, std::vector<Real>& sums) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t e = 0; e < a[i].columns.size(); ++e) sums[static_cast<size_t>(a[i].columns[e])] += c[i] * a[i].value(e);
  }
  double squared = 0;
  for (const SparseRow& row : a) {
    for (const int32_t column : row.columns) {
      Real& sum = sums[static_cast<size_t>(column)];
      squared += double{sum} * sum;
      sum = 0;
    }
  }
  return squared;
}

// |A^T G|^2: only the rows of A^T G that some entry touches are formed.
double product_norm(const SparseSample& sample, int64_t g_cols, SparseScratch& memory) {
  memory.touched.clear();
  for (const SparseRow& row : sample.a) {
    for (const int32_t column : row.columns) {
      int32_t& place = memory.place_of_column[static_cast<size_t>(column)];
      if (place >= 0) continue;
      place = static_cast<int32_t>(memory.touched.size());
      memory.touched.push_back(column);
    }
  }
  const MatrixView product = memory.product.resize(static_cast<int64_t>(memory.touched.size()), g_cols);
  std::fill_n(product.data, product.size(), Real(0));
  for (size_t i = 0; i < sample.a.size(); ++i) {
    const SparseRow& row = sample.a[i];
    for (size_t e = 0; e < row.columns.size(); ++e) {
      const std::span<Real> sum = product.row(memory.place_of_column[static_cast<size_t>(row.columns[e])]);
      for (size_t c = 0; c < sum.size(); ++c) sum[c] += row.value(e) * sample.g[i][c];
    }
  }
  for (const int32_t column : memory.touched) memory.place_of_column[static_cast<size_t>(column)] = -1;
  return kernels::sum_of_squares(ConstMatrixView(product));
}

double sparse_outer_norm(const SparseView& a, const RowList& rows, ConstMatrixView g, int64_t s,
                         const SampleRows& samples) {
  thread_local SparseScratch memory;
  SparseSample& sample = memory.sample;
  sample.assign(a, rows, g, s, samples);
  const double norms = sum_of_norms(sample.a_squared, sample.g_squared);
  if (sample.a.size() <= 1 || !std::isfinite(norms)) return norms * norms;
  if (static_cast<int64_t>(memory.column_sums.size()) < a.cols) {
    memory.column_sums.resize(static_cast<size_t>(a.cols), 0);
    memory.place_of_column.resize(static_cast<size_t>(a.cols), -1);
  }
  if (!multiples_of_one(sample, memory.c)) return with_floor(product_norm(sample, g.cols, memory), norms);
  const double along_line = std::sqrt(line_norm(sample.a, memory.c, memory.column_sums));
  return with_floor(std::pow(along_line + kLeftOver * norms, 2), norms);
}

// Calls norm(sample, scratch) for every sample and adds what it returns.
template <typename Norm>
void for_each_sample(const SampleRows& samples, int64_t work_per_row, MatrixView squared, Norm&& norm) {
  const int64_t count = samples.samples();
  const int64_t rows_per_sample = std::max<int64_t>(1, samples.rows() / std::max<int64_t>(1, count));
  parallel_for(count, kernels::rows_per_piece(rows_per_sample * work_per_row), [&](int64_t begin, int64_t end) {
    Scratch& memory = scratch();
    for (int64_t s = begin; s < end; ++s) squared(s, 0) += static_cast<Real>(norm(s, memory));
  });
}

}  // namespace

void add_outer_norms(ConstMatrixView a, ConstMatrixView g, const SampleRows& samples, MatrixView squared) {
  if (samples.one_row_each()) {
    thread_local Buffer memory;
    const std::span<Real> a_squared = memory.resize(a.rows);
    kernels::row_dots(a, a, a_squared);
    add_one_row_norms(a_squared, g, squared);
    return;
  }
  for_each_sample(samples, a.cols * g.cols, squared, [&](int64_t s, Scratch& memory) {
    return outer_norm(rows_of(s, samples, a, memory.a), rows_of(s, samples, g, memory.g), memory);
  });
}

void add_outer_norms(const SparseView& a, const RowList& rows, ConstMatrixView g, const SampleRows& samples,
                     MatrixView squared) {
  if (samples.one_row_each()) {
    thread_local Buffer memory;
    const std::span<Real> a_squared = memory.resize(g.rows);
    parallel_for(g.rows, kernels::rows_per_piece(16), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        a_squared[static_cast<size_t>(r)] = squared_norm_of(sparse_row(a, rows, r));
      }
    });
    add_one_row_norms(a_squared, g, squared);
    return;
  }
  for_each_sample(samples, 16 * g.cols, squared,
                  [&](int64_t s, Scratch&) { return sparse_outer_norm(a, rows, g, s, samples); });
}

void add_outer_norms(ConstMatrixView a, std::span<const int32_t> rows, ConstMatrixView g, const SampleRows& samples,
                     MatrixView squared) {
  if (samples.one_row_each()) {
    thread_local Buffer memory;
    const std::span<Real> a_squared = memory.resize(g.rows);
    parallel_for(g.rows, kernels::rows_per_piece(a.cols), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const std::span<const Real> row = a.row(rows[static_cast<size_t>(r)]);
        a_squared[static_cast<size_t>(r)] = static_cast<Real>(kernels::sum_of_squares(row));
      }
    });
    add_one_row_norms(a_squared, g, squared);
    return;
  }
  for_each_sample(samples, a.cols * g.cols, squared, [&](int64_t s, Scratch& memory) {
    return outer_norm(gathered_rows_of(s, samples, a, rows, memory), rows_of(s, samples, g, memory.g), memory);
  });
}

void add_sum_norms(ConstMatrixView c, const SampleRows& samples, MatrixView squared) {
  if (samples.one_row_each()) {
    thread_local Buffer memory;
    const std::span<Real> norms = memory.resize(c.rows);
    kernels::row_dots(c, c, norms);
    for (int64_t r = 0; r < c.rows; ++r) squared(r, 0) += trusted(norms[static_cast<size_t>(r)]);
    return;
  }
  for_each_sample(samples, c.cols, squared, [&](int64_t s, Scratch& memory) {
    const ConstMatrixView rows = rows_of(s, samples, c, memory.a);
    const std::span<Real> sum = memory.gram.resize(c.cols);
    const std::span<Real> row_squared = memory.a_squared.resize(rows.rows);
    kernels::column_sums(rows, sum);
    kernels::row_dots(rows, rows, row_squared);
    double norms = 0;
    for (const Real square : row_squared) norms += std::sqrt(double{trusted(square)});
    if (rows.rows <= 1) return norms * norms;
    return with_floor(kernels::sum_of_squares(std::span<const Real>(sum)), norms);
  });
}

}  // namespace graphveil::nn
