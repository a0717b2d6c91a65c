#include "graphveil/kernels/rows.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/reference/rows.h"
#include "tests/threads.h"

namespace graphveil::kernels::rows_test {
namespace {

TEST(Rows, NormalizeGivesUnitRowsAndLeavesZeroRows) {
  for (int64_t cols = 0; cols <= 70; ++cols) {
    Framed x(7, cols, 3, 1), y(7, cols, 1, 2), g(7, cols, 2), dx(7, cols, 5);
    randomize(x, 1);
    randomize(g, 2);
    for (int64_t c = 0; c < cols; ++c) x(4, c) = 0;
    std::vector<Real> norms(7), again(7);
    normalize_rows(x, y, norms);
    row_norms(x, again);
    EXPECT_EQ(norms, again);
    normalize_rows_backward(y, norms, g, dx);
    for (int64_t r = 0; r < 7; ++r) {
      double squares = 0, inner = 0;
      for (int64_t c = 0; c < cols; ++c) squares += static_cast<double>(x(r, c)) * x(r, c);
      const double length = std::sqrt(squares);
      EXPECT_NEAR(norms[r], length, 1e-6 * length);
      for (int64_t c = 0; c < cols; ++c) inner += length > 0 ? x(r, c) / length * g(r, c) : 0;
      for (int64_t c = 0; c < cols; ++c) {
        const double unit = length > 0 ? x(r, c) / length : 0;
        EXPECT_NEAR(y(r, c), unit, 1e-6);
        EXPECT_NEAR(dx(r, c), length > 0 ? (g(r, c) - unit * inner) / length : 0, 1e-5 * (1 + 1 / length));
      }
    }
    EXPECT_TRUE(y.frame_intact() && dx.frame_intact());
  }
}

// Squares of these rows over- or underflow in Real; the norm of the result may still not pass 1 by more than rounding.
TEST(Rows, NormalizeHoldsAtTheEdgesOfTheRange) {
  const Real tiny = std::numeric_limits<Real>::min(), huge = std::numeric_limits<Real>::max() / 4;
  Matrix x(5, 3), y(5, 3);
  const Real edges[5][3] = {
      {tiny, tiny, -tiny}, {huge, -huge, huge}, {tiny / 64, 0, tiny / 32}, {huge, tiny, 1}, {1e-20f, 1e-21f, 0}};
  for (int64_t r = 0; r < 5; ++r) {
    for (int64_t c = 0; c < 3; ++c) x(r, c) = edges[r][c];
  }
  std::vector<Real> norms(5);
  normalize_rows(x, y, norms);
  for (int64_t r = 0; r < 5; ++r) {
    double squares = 0;
    for (Real v : y.row(r)) squares += static_cast<double>(v) * v;
    EXPECT_NEAR(std::sqrt(squares), 1.0, 1e-6) << "row " << r;
  }
}

TEST(Rows, ScaleDotsAddAndArgmax) {
  Framed x(6, 19, 2, 1), y(6, 19, 3), scaled(6, 19, 1), shifted(6, 19, 4);
  randomize(x, 1);
  randomize(y, 2);
  x(2, 5) = x(2, 11) = 50;
  std::vector<Real> scales{1, -2, 0, 3, 4, 0.5f}, dots(6), row(19, 2);
  std::vector<int32_t> best(6);
  scale_rows(x, scales, scaled);
  row_dots(x, y, dots);
  add_row(x, row, shifted);
  row_argmax(x, best);
  EXPECT_EQ(best[2], 5);
  for (int64_t r = 0; r < 6; ++r) {
    double dot = 0;
    for (int64_t c = 0; c < 19; ++c) {
      EXPECT_EQ(scaled(r, c), scales[r] * x(r, c));
      EXPECT_EQ(shifted(r, c), x(r, c) + 2);
      EXPECT_LE(x(r, c), x(r, best[r]));
      dot += static_cast<double>(x(r, c)) * y(r, c);
    }
    EXPECT_NEAR(dots[r], dot, 1e-5 * 50);
  }
  EXPECT_TRUE(scaled.frame_intact() && shifted.frame_intact());
}

TEST(Rows, GatherThenScatterAddCountsRepeats) {
  const Restore restore;
  const std::vector<int32_t> rows{3, 0, 3, 3, 1};
  for (int threads : {1, 2}) {
    set_thread_count(threads);
    for (int64_t cols : {0, 1, 15, 16, 40}) {
      Framed x(4, cols, 1), picked(5, cols, 2), sums(4, cols, 3);
      for (int64_t r = 0; r < 4; ++r) {
        for (int64_t c = 0; c < cols; ++c) x(r, c) = static_cast<Real>(10 * r + c);
      }
      gather_rows(x, rows, picked);
      scatter_add_rows(picked, rows, sums);
      const Real counts[4] = {1, 1, 0, 3};
      for (int64_t r = 0; r < 4; ++r) {
        for (int64_t c = 0; c < cols; ++c) EXPECT_EQ(sums(r, c), counts[r] * x(r, c));
      }
      EXPECT_TRUE(picked.frame_intact() && sums.frame_intact());
    }
  }
}

class RowsLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(RowsLevels, AgreeWithThePlainLoops) {
  const Restore restore;
  set_cpu_level(GetParam());
  constexpr int64_t kRows = 5;
  for (int64_t cols = 0; cols <= 300; cols += cols < 70 ? 1 : 23) {
    Framed x(kRows, cols, 3, 1), y(kRows, cols, 1, 2), scaled(kRows, cols, 2), unit(kRows, cols, 4), dx(kRows, cols, 1);
    randomize(x, 1);
    randomize(y, 2);
    std::vector<Real> dots(kRows), norms(kRows), again(kRows);
    const std::vector<Real> factors{1, -2, 0, 3, 0.25f};
    row_dots(x, y, dots);
    row_norms(x, norms);
    scale_rows(x, factors, scaled);
    normalize_rows(x, unit, again);
    normalize_rows_backward(unit, norms, y, dx);
    EXPECT_EQ(norms, again);
    const std::vector<double> want = reference::row_dots(x, y), lengths = reference::row_norms(x);
    const std::vector<double> inner = reference::row_dots(unit, y);
    for (int64_t r = 0; r < kRows; ++r) {
      EXPECT_NEAR(dots[r], want[r], 1e-4);
      EXPECT_NEAR(norms[r], lengths[r], 1e-5);
      for (int64_t c = 0; c < cols; ++c) {
        EXPECT_EQ(scaled(r, c), factors[r] * x(r, c));
        EXPECT_NEAR(unit(r, c), x(r, c) / lengths[r], 1e-6);
        EXPECT_NEAR(dx(r, c), (y(r, c) - unit(r, c) * inner[r]) / lengths[r], 1e-4 / lengths[r]);
      }
    }
    EXPECT_TRUE(scaled.frame_intact() && unit.frame_intact() && dx.frame_intact());
  }
}

// A sample's numbers do not depend on who is drawn beside it.
TEST_P(RowsLevels, ARowIsTheSameBitsWhereverItIs) {
  const Restore restore;
  set_cpu_level(GetParam());
  for (int64_t cols : {1, 6, 16, 23, 64, 300}) {
    Matrix x(600, cols), unit(600, cols), one(1, cols);
    randomize(x, 3);
    std::vector<Real> dots(600), norms(600), dot(1), norm(1);
    row_dots(x, x, dots);
    normalize_rows(x, unit, norms);
    for (int64_t r = 0; r < 600; r += 7) {
      row_dots(x.view().rows_at(r, 1), x.view().rows_at(r, 1), dot);
      normalize_rows(x.view().rows_at(r, 1), one, norm);
      EXPECT_EQ(dot[0], dots[r]);
      EXPECT_EQ(norm[0], norms[r]);
      for (int64_t c = 0; c < cols; ++c) EXPECT_EQ(one(0, c), unit(r, c));
    }
  }
}

// As far as a level fuses multiplications and additions, its registers' length changes no bit.
TEST(Rows, LongerRegistersGiveTheSameBits) {
  if (best_cpu_level() < CpuLevel::Avx512) GTEST_SKIP() << "one level only has fused multiply-add";
  const Restore restore;
  for (int64_t cols = 1; cols <= 300; cols += cols < 70 ? 1 : 23) {
    Matrix x(9, cols), g(9, cols);
    randomize(x, 1);
    randomize(g, 2);
    std::vector<std::vector<Real>> results;
    for (const CpuLevel level : {CpuLevel::Avx2, CpuLevel::Avx512}) {
      set_cpu_level(level);
      Matrix unit(9, cols), dx(9, cols);
      std::vector<Real> all(9), norms(9);
      row_dots(x, g, all);
      normalize_rows(x, unit, norms);
      normalize_rows_backward(unit, norms, g, dx);
      all.insert(all.end(), norms.begin(), norms.end());
      all.insert(all.end(), unit.values().begin(), unit.values().end());
      all.insert(all.end(), dx.values().begin(), dx.values().end());
      results.push_back(std::move(all));
    }
    EXPECT_EQ(results[0], results[1]) << cols << " columns";
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowsLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels::rows_test
