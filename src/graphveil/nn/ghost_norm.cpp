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
#include "graphveil/nn/row_squares.h"

namespace graphveil::nn {
namespace {

using kernels::Transpose;

constexpr int64_t kMostRows = int64_t{1} << 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// T is known to 2e-5 only; what is added as a share of it is made this much larger.
constexpr double kReserve = 1.001;

// What one sample's gradient is measured to be.
struct Measured {
  double squared = 0;  // n^2
  double terms = 0;    // T
};

// n = norm + share T.
Measured longer_by(double norm, double share, double terms) {
  const double n = norm + kReserve * share * terms;
  return {n * n, terms};
}

// Memory of one thread, kept from step to step.
struct Scratch {
  Buffer a, g;  // the rows of a sample, when they lie apart
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

// |A^T G| of several rows, T given.
Measured outer_norm(ConstMatrixView a, ConstMatrixView g, double terms, Scratch& memory) {
  const int64_t m = a.rows;
  // Multiplications: m^2 (k + n) for the two Gram matrices, m k n for the product.
  if (m * (a.cols + g.cols) <= a.cols * g.cols) {
    const MatrixView aa = memory.gram.resize(m, m);
    const MatrixView gg = memory.gram_g.resize(m, m);
    kernels::gemm(Transpose::No, Transpose::Yes, 1, a, a, 0, aa);
    kernels::gemm(Transpose::No, Transpose::Yes, 1, g, g, 0, gg);
    const double squared = kernels::dot(ConstMatrixView(aa), ConstMatrixView(gg));
    const double error = kReserve * rounding_share(a.cols + g.cols) * terms * terms;
    // The Gram form errs by a share of T^2, the product by a share of T: where the rows cancel so far that this
    // matters, form the product after all.
    if (error <= 2e-3 * squared) return longer_by(std::sqrt(squared + error), rounding_share(2), terms);
  }
  const MatrixView product = memory.gram.resize(a.cols, g.cols);
  kernels::gemm(Transpose::Yes, Transpose::No, 1, a, g, 0, product);
  return longer_by(std::sqrt(kernels::sum_of_squares(ConstMatrixView(product))), rounding_share(m + 2), terms);
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

double squared_norm_of(const SparseRow& row) {
  if (row.values.empty()) return static_cast<double>(row.columns.size());
  return row_square(row.values);
}

// The rows of one sample, and the squares of the norms of its gradients.
struct SparseSample {
  std::vector<SparseRow> a;
  std::vector<std::span<const Real>> g;
  std::vector<double> g_squared;

  void assign(const SparseView& all, const RowList& rows, ConstMatrixView all_g, std::span<const double> all_squares,
              int64_t sample, const SampleRows& samples) {
    a.clear();
    g.clear();
    g_squared.clear();
    const int64_t end = samples.offsets()[static_cast<size_t>(sample) + 1];
    for (int64_t i = samples.offsets()[static_cast<size_t>(sample)]; i < end; ++i) {
      const int64_t r = samples.contiguous() ? i : samples.order()[static_cast<size_t>(i)];
      a.push_back(sparse_row(all, rows, r));
      g.push_back(all_g.row(r));
      g_squared.push_back(all_squares[static_cast<size_t>(r)]);
    }
  }
};

// Memory of one thread for sparse samples.
struct SparseScratch {
  SparseSample sample;
  std::vector<double> c;
  std::vector<double> column_sums;       // zero between uses
  std::vector<int32_t> place_of_column;  // -1 between uses
  std::vector<int32_t> touched;
  Buffer product;
};

// Rows count as multiples of one vector when what is left of each is at most this share of it.
constexpr double kLeftOver = 1e-5;

// Finds c with g_i = c_i g_l up to a rest of at most kLeftOver |g_i|, l the longest row, computed in double. In a
// network that is linear up to its scores there is one for every sample. Returns |g_l|^2, 0 where there is none.
double multiples_of_one(const SparseSample& sample, std::vector<double>& c) {
  const auto longest = std::max_element(sample.g_squared.begin(), sample.g_squared.end());
  if (!(*longest > 0)) return 0;
  const std::span<const Real> base = sample.g[static_cast<size_t>(longest - sample.g_squared.begin())];
  c.clear();
  for (size_t i = 0; i < sample.g.size(); ++i) {
    const std::span<const Real> row = sample.g[i];
    const double factor = kernels::dot(row, base) / *longest;
    double left = 0;
    for (size_t j = 0; j < row.size(); ++j) {
      const double rest = static_cast<double>(row[j]) - factor * static_cast<double>(base[j]);
      left += rest * rest;
    }
    if (!(left <= kLeftOver * kLeftOver * sample.g_squared[i])) return 0;
    c.push_back(factor);
  }
  return *longest;
}

// |sum_i c_i a_i|^2.
double line_norm(const std::vector<SparseRow>& a, const std::vector<double>& c, std::vector<double>& sums) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t e = 0; e < a[i].columns.size(); ++e) {
      sums[static_cast<size_t>(a[i].columns[e])] += c[i] * static_cast<double>(a[i].value(e));
    }
  }
  double squared = 0;
  for (const SparseRow& row : a) {
    for (const int32_t column : row.columns) {
      double& sum = sums[static_cast<size_t>(column)];
      squared += sum * sum;
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

// sum_e value_e x[column_e], in four sums that do not wait for each other.
double sparse_dot(const SparseRow& row, const std::vector<double>& x) {
  const auto sum = [&](auto term) {
    double a = 0, b = 0, c = 0, d = 0;
    const size_t count = row.columns.size();
    size_t e = 0;
    for (; e + 4 <= count; e += 4) {
      a += term(e);
      b += term(e + 1);
      c += term(e + 2);
      d += term(e + 3);
    }
    for (; e < count; ++e) a += term(e);
    return (a + b) + (c + d);
  };
  const int32_t* columns = row.columns.data();
  if (row.values.empty()) return sum([&](size_t e) { return x[static_cast<size_t>(columns[e])]; });
  const Real* values = row.values.data();
  return sum([&](size_t e) { return static_cast<double>(values[e]) * x[static_cast<size_t>(columns[e])]; });
}

// Rows of a sample, entries and columns of g for which Gram matrices are less work than the product.
bool gram_pays(int64_t m, int64_t entries, int64_t g_cols) {
  return (m + 1) * (entries + m * g_cols) <= entries * g_cols;
}

// |A^T G|^2 by Gram matrices in double. `row` is zero between uses.
double gram_norm(const SparseSample& sample, std::vector<double>& row) {
  double squared = 0;
  for (size_t r = 0; r < sample.a.size(); ++r) {
    const SparseRow& a = sample.a[r];
    for (size_t e = 0; e < a.columns.size(); ++e) {
      row[static_cast<size_t>(a.columns[e])] += static_cast<double>(a.value(e));
    }
    for (size_t t = r; t < sample.a.size(); ++t) {
      const double product = sparse_dot(sample.a[t], row);
      if (product != 0) squared += (t == r ? 1 : 2) * product * kernels::dot(sample.g[r], sample.g[t]);
    }
    for (const int32_t column : a.columns) row[static_cast<size_t>(column)] = 0;
  }
  return std::max(squared, 0.0);
}

Measured sparse_outer_norm(const SparseView& a, const RowList& rows, ConstMatrixView g,
                           std::span<const double> g_squares, double terms, int64_t s, const SampleRows& samples) {
  thread_local SparseScratch memory;
  SparseSample& sample = memory.sample;
  sample.assign(a, rows, g, g_squares, s, samples);
  if (static_cast<int64_t>(memory.column_sums.size()) < a.cols) {
    memory.column_sums.resize(static_cast<size_t>(a.cols), 0);
    memory.place_of_column.resize(static_cast<size_t>(a.cols), -1);
  }
  const double longest = multiples_of_one(sample, memory.c);
  if (longest != 0) {
    const double along_line = std::sqrt(line_norm(sample.a, memory.c, memory.column_sums) * longest);
    return longer_by(along_line, kLeftOver + rounding_share(2), terms);
  }
  const auto m = static_cast<int64_t>(sample.a.size());
  int64_t entries = 0;
  for (const SparseRow& row : sample.a) entries += static_cast<int64_t>(row.columns.size());
  if (gram_pays(m, entries, g.cols)) {
    // Products of two floats are exact in double.
    const double share = static_cast<double>(entries + g.cols + m * m + 2) * 0x1p-53;
    const double n = std::sqrt(gram_norm(sample, memory.column_sums) + kReserve * share * terms * terms);
    return longer_by(n, rounding_share(2), terms);
  }
  return longer_by(std::sqrt(product_norm(sample, g.cols, memory)), rounding_share(m + 2), terms);
}

// The norms of the rows' shares, |a_r| |g_r|, from the squares.
std::span<double> share_norms(std::span<double> a_squares, std::span<const double> g_squares) {
  parallel_for(std::ssize(a_squares), kernels::rows_per_piece(4), [&](int64_t begin, int64_t end) {
    for (auto r = static_cast<size_t>(begin); r < static_cast<size_t>(end); ++r) {
      a_squares[r] = std::sqrt(a_squares[r] * g_squares[r]);
    }
  });
  return a_squares;
}

// Adds what each sample is measured to be: the norm of its one row's share, or several(sample, T, memory).
template <typename Several>
void for_each_sample(const SampleRows& samples, std::span<const double> shares, int64_t work_per_row,
                     const SampleNorms& norms, Several&& several) {
  const int64_t count = samples.samples();
  const int64_t rows_per_sample = std::max<int64_t>(1, samples.rows() / std::max<int64_t>(1, count));
  const int64_t work = samples.one_row_each() ? 4 : rows_per_sample * work_per_row;
  parallel_for(count, kernels::rows_per_piece(work), [&](int64_t begin, int64_t end) {
    Scratch& memory = scratch();
    for (int64_t s = begin; s < end; ++s) {
      const int64_t first = samples.offsets()[static_cast<size_t>(s)];
      const int64_t last = samples.offsets()[static_cast<size_t>(s) + 1];
      double terms = 0;
      for (int64_t i = first; i < last; ++i) {
        terms += shares[static_cast<size_t>(samples.contiguous() ? i : samples.order()[static_cast<size_t>(i)])];
      }
      Measured measured{terms * terms, terms};
      if (last - first > kMostRows) {
        measured.squared = kInfinity;
      } else if (last - first > 1 && std::isfinite(terms)) {
        measured = several(s, terms, memory);
      }
      norms.squared[static_cast<size_t>(s)] += measured.squared;
      norms.terms[static_cast<size_t>(s)] += measured.terms * measured.terms;
    }
  });
}

// Squares of the rows of A and G in turn, kept from step to step.
struct RowSquares {
  std::vector<double> a, g;
  void resize(int64_t rows) {
    a.resize(static_cast<size_t>(rows));
    g.resize(static_cast<size_t>(rows));
  }
};

RowSquares& squares_memory() {
  thread_local RowSquares memory;
  return memory;
}

}  // namespace

void add_outer_norms(ConstMatrixView a, ConstMatrixView g, const SampleRows& samples, const SampleNorms& norms) {
  RowSquares& squares = squares_memory();
  squares.resize(g.rows);
  row_squares(a, squares.a);
  row_squares(g, squares.g);
  for_each_sample(samples, share_norms(squares.a, squares.g), a.cols * g.cols, norms,
                  [&](int64_t s, double terms, Scratch& memory) {
                    return outer_norm(rows_of(s, samples, a, memory.a), rows_of(s, samples, g, memory.g), terms,
                                      memory);
                  });
}

void add_outer_norms(const SparseView& a, const RowList& rows, ConstMatrixView g, const SampleRows& samples,
                     const SampleNorms& norms) {
  RowSquares& squares = squares_memory();
  squares.resize(g.rows);
  parallel_for(g.rows, kernels::rows_per_piece(16), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) squares.a[static_cast<size_t>(r)] = squared_norm_of(sparse_row(a, rows, r));
  });
  row_squares(g, squares.g);
  const std::span<const double> g_squares = squares.g;
  for_each_sample(
      samples, share_norms(squares.a, squares.g), 16 * g.cols, norms,
      [&](int64_t s, double terms, Scratch&) { return sparse_outer_norm(a, rows, g, g_squares, terms, s, samples); });
}

void add_outer_norms(ConstMatrixView a, std::span<const int32_t> rows, ConstMatrixView g, const SampleRows& samples,
                     const SampleNorms& norms) {
  RowSquares& squares = squares_memory();
  squares.resize(g.rows);
  parallel_for(g.rows, kernels::rows_per_piece(a.cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      squares.a[static_cast<size_t>(r)] = row_square(a.row(rows[static_cast<size_t>(r)]));
    }
  });
  row_squares(g, squares.g);
  for_each_sample(samples, share_norms(squares.a, squares.g), a.cols * g.cols, norms,
                  [&](int64_t s, double terms, Scratch& memory) {
                    return outer_norm(gathered_rows_of(s, samples, a, rows, memory), rows_of(s, samples, g, memory.g),
                                      terms, memory);
                  });
}

void add_sum_norms(ConstMatrixView c, const SampleRows& samples, const SampleNorms& norms) {
  RowSquares& squares = squares_memory();
  squares.resize(c.rows);
  row_squares(c, squares.a);
  for (double& square : squares.a) square = std::sqrt(square);
  for_each_sample(samples, squares.a, c.cols, norms, [&](int64_t s, double terms, Scratch& memory) {
    const std::span<Real> sum = memory.gram.resize(c.cols);
    kernels::column_sums(rows_of(s, samples, c, memory.a), sum);  // in double, then rounded
    return longer_by(std::sqrt(kernels::sum_of_squares(std::span<const Real>(sum))), rounding_share(4), terms);
  });
}

}  // namespace graphveil::nn
