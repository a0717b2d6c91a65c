#include "graphveil/kernels/integer_spmm.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::integer_spmm_test {
namespace {

template <typename T>
void randomize(IntegerMatrixView<T> m, uint64_t seed) {
  RandomStream stream(Seed::from_number(seed), "integer tests");
  for (int64_t r = 0; r < m.rows; ++r) {
    for (T& v : m.row(r)) v = static_cast<T>(stream.next_u64());
  }
}

// out = A x + start, modulo 2^64.
std::vector<uint64_t> plain(const SparseView& a, ConstIntegerMatrixView<int32_t> x,
                            ConstIntegerMatrixView<int64_t> start) {
  std::vector<uint64_t> sums;
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < x.cols; ++c) {
      auto sum = static_cast<uint64_t>(start(r, c));
      for (int32_t u : a.row(r)) sum += static_cast<uint64_t>(static_cast<int64_t>(x(u, c)));
      sums.push_back(sum);
    }
  }
  return sums;
}

TEST(IntegerSpmm, HandExample) {
  const SparseMatrix a{.rows = 3,
                       .cols = 3,
                       .offsets = std::vector<int64_t>{0, 2, 2, 3},
                       .indices = std::vector<int32_t>{0, 2, 1},
                       .values = {}};
  IntegerMatrix<int32_t> x(3, 2), out(3, 2);
  IntegerMatrix<int64_t> wide(3, 2);
  x(0, 0) = INT32_MAX;
  x(2, 0) = 1;
  x(1, 1) = -5;
  spmm(a, x, out);
  spmm(a, x, wide);
  EXPECT_EQ(std::vector<int32_t>(out.values().begin(), out.values().end()),
            (std::vector<int32_t>{INT32_MIN, 0, 0, 0, 0, -5}));
  EXPECT_EQ(std::vector<int64_t>(wide.values().begin(), wide.values().end()),
            (std::vector<int64_t>{int64_t{1} << 31, 0, 0, 0, 0, -5}));
}

class IntegerSpmmLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(IntegerSpmmLevels, EveryWidthAgreesWithThePlainLoop) {
  const Restore restore;
  set_cpu_level(GetParam());
  const SparseMatrix a = random_sparse(61, 47, 6, false, 8);
  for (int64_t cols = 0; cols <= 140; cols += cols < 36 ? 1 : 13) {
    // Strided, with a frame that must stay as it is.
    IntegerMatrix<int32_t> x(47, cols + 3), narrow(61, cols + 2);
    IntegerMatrix<int64_t> wide(61, cols + 2), start(61, cols + 2);
    randomize(x.view(), 1);
    randomize(start.view(), 2);
    const auto x_part = x.view().columns(1, cols);
    for (Into into : {Into::Overwrite, Into::Add}) {
      const IntegerMatrix<int64_t> zero(61, cols + 2);
      const std::vector<uint64_t> want = plain(a, x_part, (into == Into::Add ? start : zero).view().columns(1, cols));
      for (int64_t r = 0; r < 61; ++r) {
        for (int64_t c = 0; c < cols + 2; ++c) {
          wide(r, c) = start(r, c);
          narrow(r, c) = static_cast<int32_t>(start(r, c));
        }
      }
      spmm(a, x_part, wide.view().columns(1, cols), into);
      spmm(a, x_part, narrow.view().columns(1, cols), into);
      for (int64_t r = 0; r < 61; ++r) {
        for (int64_t c = 0; c < cols + 2; ++c) {
          const bool inside = c >= 1 && c <= cols;
          const uint64_t value = inside ? want[r * cols + c - 1] : static_cast<uint64_t>(start(r, c));
          ASSERT_EQ(static_cast<uint64_t>(wide(r, c)), value) << r << " " << c << " of " << cols;
          ASSERT_EQ(static_cast<uint32_t>(narrow(r, c)), static_cast<uint32_t>(value)) << r << " " << c;
        }
      }
    }
  }
}

// Big enough for the tiled sweep: more than 12 MB of x and many entries a row.
SparseMatrix wide_rows() {
  constexpr int64_t kColumns = 52'000;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  for (int64_t r = 0; r < 40; ++r) {
    for (int64_t c = r * 7; c < kColumns; c += 300 + r) indices.push_back(static_cast<int32_t>(c));
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return {.rows = 40, .cols = kColumns, .offsets = std::move(offsets), .indices = std::move(indices), .values = {}};
}

TEST_P(IntegerSpmmLevels, TiledSweepAgreesWithThePlainLoop) {
  const Restore restore;
  set_cpu_level(GetParam());
  constexpr int64_t kWidth = 66;
  const SparseMatrix a = wide_rows();
  IntegerMatrix<int32_t> x(a.cols, kWidth), narrow(40, kWidth);
  IntegerMatrix<int64_t> wide(40, kWidth);
  const IntegerMatrix<int64_t> zero(40, kWidth);
  randomize(x.view(), 3);
  const std::vector<uint64_t> want = plain(a, x, zero);
  for (int threads : {1, 3}) {
    set_thread_count(threads);
    spmm(a, x, narrow);
    spmm(a, x, wide);
    for (int64_t i = 0; i < wide.size(); ++i) {
      ASSERT_EQ(static_cast<uint64_t>(wide.values()[i]), want[i]);
      ASSERT_EQ(static_cast<uint32_t>(narrow.values()[i]), static_cast<uint32_t>(want[i]));
    }
  }
}

// Anywhere cut, the stretches of columns add up to the product, and no row of x beyond them is read.
void expect_stretches_add_up(const SparseMatrix& a, ConstIntegerMatrixView<int32_t> x,
                             const std::vector<int64_t>& cuts) {
  const IntegerMatrix<int64_t> zero(a.rows, x.cols);
  const std::vector<uint64_t> want = plain(a, x, zero);
  IntegerMatrix<int64_t> sums(a.rows, x.cols);
  std::ranges::fill(sums.values(), 77);
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    IntegerMatrix<int32_t> seen(x.rows, x.cols + 1);  // strided
    std::ranges::fill(seen.values(), 1 << 20);
    for (int64_t r = cuts[i]; r < cuts[i + 1]; ++r) std::ranges::copy(x.row(r), seen.row(r).begin());
    spmm(a, {cuts[i], cuts[i + 1]}, seen.view().columns(0, x.cols), sums, i == 0 ? Into::Overwrite : Into::Add);
  }
  for (int64_t i = 0; i < sums.size(); ++i) ASSERT_EQ(static_cast<uint64_t>(sums.values()[i]), want[i]) << i;
}

TEST_P(IntegerSpmmLevels, StretchesOfColumnsAddUp) {
  const Restore restore;
  set_cpu_level(GetParam());
  const SparseMatrix a = random_sparse(61, 47, 6, false, 8);
  for (int64_t cols : {1, 5, 16, 40, 140}) {
    IntegerMatrix<int32_t> x(47, cols);
    randomize(x.view(), 4);
    for (const auto& cuts : {std::vector<int64_t>{0, 47}, {0, 0, 20, 47}, {0, 1, 46, 47, 47}}) {
      expect_stretches_add_up(a, x, cuts);
    }
  }
}

TEST_P(IntegerSpmmLevels, TiledStretchesOfColumnsAddUp) {
  const Restore restore;
  set_cpu_level(GetParam());
  const SparseMatrix a = wide_rows();
  IntegerMatrix<int32_t> x(a.cols, 66);
  randomize(x.view(), 5);
  for (int threads : {1, 3}) {
    set_thread_count(threads);
    expect_stretches_add_up(a, x, {0, 100, 31'007, a.cols});
  }
}

INSTANTIATE_TEST_SUITE_P(All, IntegerSpmmLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels::integer_spmm_test
