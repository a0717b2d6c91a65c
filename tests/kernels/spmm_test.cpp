#include "graphveil/kernels/spmm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/reference/sparse.h"
#include "tests/threads.h"

namespace graphveil::kernels::spmm_test {
namespace {

using reference::Table;

void expect_near(const Table& want, ConstMatrixView got, double tolerance) {
  ASSERT_EQ(static_cast<int64_t>(want.size()), got.rows);
  for (int64_t r = 0; r < got.rows; ++r) {
    for (int64_t c = 0; c < got.cols; ++c) ASSERT_NEAR(want[r][c], got(r, c), tolerance) << "row " << r << " col " << c;
  }
}

Table add(Table a, ConstMatrixView b) {
  for (int64_t r = 0; r < b.rows; ++r) {
    for (int64_t c = 0; c < b.cols; ++c) a[r][c] += b(r, c);
  }
  return a;
}

// A product by hand: A = [[1 0 1] [0 0 0] [0 1 0]].
TEST(Spmm, HandExample) {
  const SparseMatrix a{.rows = 3,
                       .cols = 3,
                       .offsets = std::vector<int64_t>{0, 2, 2, 3},
                       .indices = std::vector<int32_t>{0, 2, 1},
                       .values = {}};
  Matrix x(3, 2), out(3, 2);
  for (int64_t i = 0; i < 6; ++i) x.values()[i] = static_cast<Real>(i + 1);
  spmm(a, x, out);
  EXPECT_EQ(std::vector<Real>(out.values().begin(), out.values().end()), (std::vector<Real>{6, 8, 0, 0, 3, 4}));
  spmm_transposed(a, x, out);
  EXPECT_EQ(std::vector<Real>(out.values().begin(), out.values().end()), (std::vector<Real>{1, 2, 5, 6, 1, 2}));
}

TEST(Spmm, TransposeIsTransposeAndKeepsOrder) {
  for (bool weighted : {false, true}) {
    const SparseMatrix a = random_sparse(23, 17, 4, weighted, 5);
    const SparseMatrix t = transpose(a);
    EXPECT_EQ(reference::dense(t), reference::transposed(reference::dense(a), 17));
    for (int64_t r = 0; r < t.rows; ++r) {
      for (int64_t e = t.offsets[r] + 1; e < t.offsets[r + 1]; ++e) EXPECT_LT(t.indices[e - 1], t.indices[e]);
    }
  }
}

TEST(Spmm, SampledProduct) {
  const SparseMatrix a = random_sparse(19, 31, 5, false, 6);
  for (int64_t cols : {1, 7, 33}) {
    Framed left(19, cols, 3, 1), right(31, cols, 2, 1);
    randomize(left, 1);
    randomize(right, 2);
    std::vector<Real> out(static_cast<size_t>(a.entries()));
    sampled_product(a, left, right, out);
    for (int64_t r = 0; r < 19; ++r) {
      for (int64_t e = a.offsets[r]; e < a.offsets[r + 1]; ++e) {
        double want = 0;
        for (int64_t c = 0; c < cols; ++c) want += static_cast<double>(left(r, c)) * right(a.indices[e], c);
        EXPECT_NEAR(want, out[e], 1e-5);
      }
    }
  }
}

TEST(Spmm, SameBitsForAnyThreadCount) {
  const Restore restore;
  const SparseMatrix a = random_sparse(700, 300, 60, true, 7);
  std::vector<int32_t> rows(2000);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int32_t>(i * 37 % 700);
  for (int64_t cols : {3, 16, 70}) {
    Matrix x(300, cols), g(700, cols), batch(2000, cols);
    randomize(x, 1);
    randomize(g, 2);
    randomize(batch, 3);
    std::vector<std::vector<Real>> results;
    for (int threads : {1, 2, 3}) {
      set_thread_count(threads);
      Matrix forward(700, cols), backward(300, cols), gathered(2000, cols), scattered(300, cols);
      spmm(a, x, forward);
      spmm_transposed(a, g, backward);
      spmm_rows(a, rows, x, gathered);
      spmm_rows_transposed(a, rows, batch, scattered);
      std::vector<Real> all;
      for (const Matrix* m : {&forward, &backward, &gathered, &scattered}) {
        all.insert(all.end(), m->values().begin(), m->values().end());
      }
      results.push_back(all);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

// Big enough for the walk by tiles (x above 12 MB, dense rows), small enough to check by another order: each output
// row of a circulant matrix is a window sum of x.
TEST(Spmm, TiledWalkAgreesWithWindowSums) {
  constexpr int64_t kNodes = 60'000, kCols = 64, kStep = 401;
  constexpr int64_t kDegree = (kNodes + kStep - 1) / kStep;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  for (int64_t r = 0; r < 200; ++r) {
    for (int64_t c = r % kStep; c < kNodes; c += kStep) indices.push_back(static_cast<int32_t>(c));
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  const SparseMatrix a{.rows = 200, .cols = kNodes, .offsets = offsets, .indices = indices, .values = {}};
  ASSERT_GE(kDegree, 4 * (kNodes * kCols * 4 / (768 * 1024)));  // the condition for tiles
  for (int64_t padding : {0, 5}) {
    Framed x(kNodes, kCols, padding);
    for (int64_t i = 0; i < kNodes; ++i) {
      for (int64_t c = 0; c < kCols; ++c) x(i, c) = static_cast<Real>((i * 31 + c) % 17);  // sums stay exact
    }
    Framed out(200, kCols, 3);
    spmm(a, x, out);
    spmm(a, x, out, Into::Add);
    for (int64_t r = 0; r < 200; ++r) {
      for (int64_t c = 0; c < kCols; ++c) {
        int64_t want = 0;
        for (int64_t i = r % kStep; i < kNodes; i += kStep) want += (i * 31 + c) % 17;
        ASSERT_EQ(out(r, c), static_cast<Real>(2 * want)) << r << " " << c;
      }
    }
    EXPECT_TRUE(out.frame_intact());
  }
}

class SpmmLevels : public testing::TestWithParam<CpuLevel> {};

// Every level against the plain product: all widths to 70, both sides framed and unaligned, empty rows, no rows.
TEST_P(SpmmLevels, AgreeWithThePlainProduct) {
  const Restore restore;
  set_cpu_level(GetParam());
  set_thread_count(1);
  const int64_t shapes[][2] = {{0, 5}, {5, 0}, {1, 1}, {13, 9}, {40, 57}};
  for (const auto& [rows, cols] : shapes) {
    for (bool weighted : {false, true}) {
      const SparseMatrix a = random_sparse(rows, cols, 6, weighted, 11);
      std::vector<int32_t> some;
      for (int64_t i = 0; rows > 0 && i < 2 * rows; ++i) some.push_back(static_cast<int32_t>(i * 5 % rows));
      const int64_t picked = static_cast<int64_t>(some.size());
      const Table full = reference::dense(a);
      Table chosen;
      for (int32_t r : some) chosen.push_back(full[r]);
      for (int64_t width = 0; width <= 150; width += width < 70 ? 1 : 29) {
        Framed x(cols, width, 3, 1), g(rows, width, 1, 2), batch(picked, width, 5, 3);
        randomize(x, 1);
        randomize(g, 2);
        randomize(batch, 3);
        Framed out(rows, width, 2, 3), back(cols, width, 4, 1), gathered(picked, width, 1, 1), scattered(cols, width);
        spmm(a, x, out);
        spmm_transposed(a, g, back);
        spmm_rows(a, some, x, gathered);
        spmm_rows_transposed(a, some, batch, scattered);
        expect_near(reference::product(full, x), out, 1e-4);
        expect_near(reference::product(reference::transposed(full, cols), g), back, 1e-4);
        expect_near(reference::product(chosen, x), gathered, 1e-4);
        expect_near(reference::product(reference::transposed(chosen, cols), batch), scattered, 1e-4);
        Framed sum(rows, width, 2, 1);
        randomize(sum, 4);
        const Table want = add(reference::product(full, x), sum);
        spmm(a, x, sum, Into::Add);
        expect_near(want, sum, 1e-4);
        for (const Framed* f : {&out, &back, &gathered, &scattered, &sum}) ASSERT_TRUE(f->frame_intact());
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Rows are summed two at a time and may be asked for ahead, from indices of either width: every way adds the entries of
// a row in their order.
TEST_P(SpmmLevels, EveryWayIsTheSameBits) {
  const Restore restore;
  set_cpu_level(GetParam());
  for (bool weighted : {false, true}) {
    const SparseMatrix a = random_sparse(301, 12'000, 40, weighted, 12);
    const std::vector<uint16_t> narrow(a.indices.span().begin(), a.indices.span().end());
    SparseView with_narrow = a;
    with_narrow.narrow_indices = narrow;
    for (int64_t width : {3, 16, 24, 32, 48}) {
      Matrix x(12'000, width), plain(301, width), other(301, width), one(1, width);
      randomize(x, 1);
      spmm(a, x, plain);
      spmm(with_narrow, x, other);
      EXPECT_TRUE(std::ranges::equal(plain.values(), other.values()));
      for (int32_t r = 0; r < 301; r += 10) {
        spmm_rows(a, {&r, 1}, x, one);
        EXPECT_TRUE(std::ranges::equal(one.row(0), plain.row(r))) << "row " << r << ", width " << width;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpmmLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels::spmm_test
