// Sums and products of rows that ranks share out (threads in the place of processes) have the bits of one process.
#include "graphveil/kernels/piece_sums.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/kernels/batch_norm.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/spmm.h"
#include "tests/kernels/support.h"
#include "tests/ranks.h"
#include "tests/threads.h"

namespace graphveil::kernels::piece_sums_test {
namespace {

Matrix random_rows(int64_t rows, int64_t cols, uint64_t seed) {
  Matrix m(rows, cols);
  randomize(m, seed);
  return m;
}

// Where ranks begin and the last one ends: cut anywhere, at multiples of 128 and of 4096, and with nothing for one.
std::vector<std::vector<int64_t>> cuts_of(int64_t rows) {
  const auto down = [&](int64_t row, int64_t to) { return row / to * to; };
  return {{0, rows},
          {0, rows / 3, rows},
          {0, 0, rows / 2, rows},
          {0, down(rows / 5, 128), down(rows / 2, 128), std::min(rows, down(rows / 2 + 130, 128)), rows},
          {0, down(rows / 2, 4096), rows, rows}};
}

// `sums(begin, end, shared)` gives the same numbers for all rows as on every rank for its own.
void expect_alone(int64_t rows, const std::function<std::vector<double>(int64_t, int64_t, const SharedRows*)>& sums) {
  const std::vector<double> expected = sums(0, rows, nullptr);
  for (const std::vector<int64_t>& cuts : cuts_of(rows)) {
    const int ranks = static_cast<int>(cuts.size()) - 1;
    std::vector<std::vector<double>> found(static_cast<size_t>(ranks));
    tests::on_ranks(ranks, [&](Ranks& one) {
      const auto r = static_cast<size_t>(one.rank());
      const SharedRows shared(one, cuts[r + 1] - cuts[r]);
      EXPECT_EQ(shared.first(), cuts[r]);
      EXPECT_EQ(shared.all(), rows);
      found[r] = sums(cuts[r], cuts[r + 1], &shared);
    });
    for (int r = 0; r < ranks; ++r) {
      EXPECT_EQ(found[static_cast<size_t>(r)], expected) << rows << " rows, rank " << r << " of " << ranks;
    }
  }
}

std::vector<double> values_of(ConstMatrixView m) {
  std::vector<double> out;
  for (int64_t r = 0; r < m.rows; ++r) out.insert(out.end(), m.row(r).begin(), m.row(r).end());
  return out;
}

TEST(PieceSums, ColumnSums) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{5, 3}, {700, 100}, {9000, 13}}) {
    const Matrix x = random_rows(rows, cols, 1);
    expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
      std::vector<Real> sums(static_cast<size_t>(cols), Real(0.5));
      column_sums(x.view().rows_at(begin, end - begin), sums, Into::Add, shared);
      return std::vector<double>(sums.begin(), sums.end());
    });
  }
}

TEST(PieceSums, Sums) {
  for (const int64_t rows : {10, 1000, 50'001}) {
    const Matrix x = random_rows(rows, 1, 2);
    expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
      return std::vector<double>{
          sum(x.values().subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)), shared)};
    });
  }
}

TEST(PieceSums, BatchNormalization) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{9, 3}, {2000, 16}, {1000, 100}}) {
    const Matrix x = random_rows(rows, cols, 3), g = random_rows(rows, cols, 4), y = random_rows(rows, cols, 5);
    const std::vector<Real> numbers(static_cast<size_t>(cols), Real(0.7));
    expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
      const auto own = [&](const Matrix& m) { return m.view().rows_at(begin, end - begin); };
      std::vector<double> mean(static_cast<size_t>(cols)), variance(mean.size());
      column_moments(own(x), mean, variance, shared);
      std::vector<Real> sum_g(mean.size()), sum_gz(mean.size());
      Matrix before(end - begin, cols);
      batch_norm_sums(own(g), own(x), {numbers, numbers, numbers, numbers},
                      Activated{Activation::Selu, own(y), before.view()}, sum_g, sum_gz, shared);
      std::vector<double> all = mean;
      all.insert(all.end(), variance.begin(), variance.end());
      all.insert(all.end(), sum_g.begin(), sum_g.end());
      all.insert(all.end(), sum_gz.begin(), sum_gz.end());
      return all;
    });
  }
}

// One long sum, pieces of our own loops and of the library's, and what neither makes in pieces.
TEST(PieceSums, ProductsThatSumOverRows) {
  struct Shape {
    int64_t rows, left, right;
  };
  for (const auto& [rows, left, right] : {Shape{300, 20, 5}, Shape{6000, 9, 16}, Shape{8300, 30, 7}, Shape{8300, 7, 48},
                                          Shape{9000, 100, 95}, Shape{33'500, 182, 181}}) {
    const Matrix a = random_rows(rows, left, 6), b = random_rows(rows, right, 7);
    for (const Real beta : {Real(0), Real(1)}) {
      expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
        Matrix c = random_rows(left, right, 8);
        gemm(Transpose::Yes, Transpose::No, 1, a.view().rows_at(begin, end - begin),
             b.view().rows_at(begin, end - begin), beta, c, shared);
        return values_of(c);
      });
    }
  }
}

// Rows of their own, of which a library's product rounds by how many there are.
TEST(PieceSums, ProductsOfRows) {
  for (const auto& [rows, depth, cols] : {std::tuple<int64_t, int64_t, int64_t>{700, 20, 5},
                                          {700, 300, 150},
                                          {90, 300, 150},
                                          {8300, 260, 130},
                                          {3, 8200, 2}}) {
    const Matrix a = random_rows(rows, depth, 9), b = random_rows(depth, cols, 10);
    const std::vector<Real> bias(static_cast<size_t>(cols), Real(0.3));
    Matrix plain(rows, cols), expected(rows, cols);
    gemm(Transpose::No, Transpose::No, 1, a, b, 0, plain);
    linear(a, b, bias, expected);
    for (const std::vector<int64_t>& cuts : cuts_of(rows)) {
      tests::on_ranks(static_cast<int>(cuts.size()) - 1, [&](Ranks& one) {
        const auto r = static_cast<size_t>(one.rank());
        const SharedRows shared(one, cuts[r + 1] - cuts[r]);
        const ConstMatrixView own = a.view().rows_at(shared.first(), shared.own());
        Matrix c(shared.own(), cols), twice(shared.own(), cols);
        linear(own, b, bias, c, &shared);
        EXPECT_EQ(values_of(c), values_of(expected.view().rows_at(shared.first(), shared.own())));
        gemm(Transpose::No, Transpose::No, 1, own, b, 0, twice, &shared);
        EXPECT_EQ(values_of(twice), values_of(plain.view().rows_at(shared.first(), shared.own())));
      });
    }
  }
}

// Rows [begin, end) of a.
SparseMatrix rows_of(const SparseMatrix& a, int64_t begin, int64_t end) {
  const auto at = [&](int64_t row) { return a.offsets[static_cast<size_t>(row)]; };
  std::vector<int64_t> offsets;
  for (int64_t r = begin; r <= end; ++r) offsets.push_back(at(r) - at(begin));
  const auto part = [&](const auto& all) {
    return std::vector(all.span().begin() + at(begin), all.span().begin() + at(end));
  };
  return {end - begin, a.cols, std::move(offsets), part(a.indices), part(a.values)};
}

TEST(PieceSums, SparseProductsThatSumOverRows) {
  for (const auto& [rows, cols, width] :
       {std::tuple<int64_t, int64_t, int64_t>{200, 50, 7}, {6000, 40, 16}, {6000, 40, 33}}) {
    const SparseMatrix a = random_sparse(rows, cols, 8, true, 11);
    const Matrix x = random_rows(rows, width, 12);
    expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
      const SparseMatrix own = rows_of(a, begin, end);
      Matrix out = random_rows(cols, width, 13);
      spmm_transposed(own.view(), x.view().rows_at(begin, end - begin), out, Into::Add, shared);
      return values_of(out);
    });
  }
}

// Rows that lie with others in one process's matrix, whose size decides in which order it adds; once it keeps them
// transposed, one after the other.
TEST(PieceSums, SparseProductsOfRowsFromALargerMatrix) {
  for (const auto& [rows, cols, width] : {std::tuple<int64_t, int64_t, int64_t>{6000, 40, 16}, {6000, 700, 16}}) {
    // Twice as many entries in a row where nobody is listed.
    const SparseMatrix listed = random_sparse(rows, cols, 8, true, 14);
    const WholeSparse whole{3 * rows, 3 * listed.entries() + 90 * rows};
    const Matrix x = random_rows(rows, width, 15);
    std::vector<int32_t> all(static_cast<size_t>(rows));
    for (size_t r = 0; r < all.size(); ++r) all[r] = static_cast<int32_t>(r);
    const SparseMatrix transposed = transpose(listed);
    for (const bool keeps : {false, true}) {
      expect_alone(rows, [&](int64_t begin, int64_t end, const SharedRows* shared) {
        Matrix out = random_rows(cols, width, 16);
        if (shared != nullptr) {
          WholeSparse known = whole;
          known.transposed = keeps;
          const SparseMatrix own = rows_of(listed, begin, end);
          spmm_rows_transposed(own.view(), std::span(all).first(static_cast<size_t>(end - begin)),
                               x.view().rows_at(begin, end - begin), out, Into::Add, shared, &known);
        } else if (keeps) {
          spmm(transposed.view(), x, out, Into::Add);
        } else {
          // The listed rows come first in a matrix of that size.
          std::vector<int64_t> offsets(listed.offsets.begin(), listed.offsets.end());
          std::vector<int32_t> indices(listed.indices.begin(), listed.indices.end());
          std::vector<Real> values(listed.values.begin(), listed.values.end());
          offsets.resize(static_cast<size_t>(whole.rows) + 1, whole.entries);
          indices.resize(static_cast<size_t>(whole.entries), 0);
          values.resize(static_cast<size_t>(whole.entries), 0);
          const SparseMatrix larger{whole.rows, cols, std::move(offsets), std::move(indices), std::move(values)};
          spmm_rows_transposed(larger.view(), all, x, out, Into::Add);
        }
        return values_of(out);
      });
    }
  }
}

}  // namespace
}  // namespace graphveil::kernels::piece_sums_test
