#include "graphveil/kernels/grid_rows.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::grid_rows_test {
namespace {

__extension__ using Wide = __int128;

Wide square_of(std::span<const int32_t> row) {
  Wide sum = 0;
  for (int32_t n : row) sum += Wide{n} * n;
  return sum;
}

TEST(GridRows, LimitIsTheExactSquare) {
  EXPECT_EQ(squared_norm_limit(1, 0x1p-10), 1 << 20);
  EXPECT_EQ(squared_norm_limit(0x1.8p0, 1), 2);
  EXPECT_EQ(squared_norm_limit(0.5, 1), 0);
  EXPECT_EQ(squared_norm_limit(1e-200, 1), 0);
  EXPECT_EQ(squared_norm_limit(0x1p30, 1), int64_t{1} << 60);
  // (2^30 - 2^-22)^2 = 2^60 - 2^9 + 2^-44: a double would round it.
  EXPECT_EQ(squared_norm_limit(0x1p30 - 0x1p-22, 1), (int64_t{1} << 60) - 512);
  EXPECT_THROW(squared_norm_limit(1, 0.3), Error);
  EXPECT_THROW(squared_norm_limit(1, 0), Error);
  EXPECT_THROW(squared_norm_limit(0, 1), Error);
  EXPECT_THROW(squared_norm_limit(-1, 1), Error);
  EXPECT_THROW(squared_norm_limit(2, 0x1p-30), Error);
  EXPECT_THROW(squared_norm_limit(std::nan(""), 1), Error);
}

TEST(GridRows, ShortRowsAreRoundedTowardZero) {
  Matrix rows(1, 5);
  for (int64_t c = 0; c < 5; ++c) rows(0, c) = std::vector<Real>{0.3f, -0.3f, 0.125f, -0.124f, 0}[c];
  IntegerMatrix<int32_t> out(1, 5);
  to_grid(rows, 1, 0.125, out);
  EXPECT_EQ(std::vector<int32_t>(out.values().begin(), out.values().end()), (std::vector<int32_t>{2, -2, 1, 0, 0}));
}

// No row breaks the bound: every length, tiny and huge entries, equality by construction.
TEST(GridRowsLevels, TheNormIsNeverAboveTheLimitAndNearlyReachesIt) {
  const Restore restore;
  for (int64_t cols : {1, 2, 3, 7, 8, 16, 33, 100}) {
    Matrix rows(300, cols);
    randomize(rows, static_cast<uint64_t>(cols));
    for (int64_t r = 0; r < 300; ++r) {
      const auto factor = static_cast<Real>(std::exp2(static_cast<double>(r % 40) * 6 - 120));
      for (Real& v : rows.row(r)) v *= factor;
    }
    for (double max_norm : {1.0, 0.1, 3.7}) {
      for (double step : {0x1p-28, 0x1p-12, 0x1p-3, 1.0}) {
        const int64_t limit = squared_norm_limit(max_norm, step);
        IntegerMatrix<int32_t> want;
        for (CpuLevel level : available_levels()) {
          set_cpu_level(level);
          IntegerMatrix<int32_t> out(300, cols);
          to_grid(rows, max_norm, step, out);
          for (int64_t r = 0; r < 300; ++r) {
            ASSERT_LE(square_of(out.row(r)), Wide{limit}) << max_norm << " " << step;
            double length = 0;
            for (Real v : rows.row(r)) length += static_cast<double>(v) * v;
            length = std::sqrt(length);
            const double kept = std::sqrt(static_cast<double>(square_of(out.row(r)))) * step;
            // What rounding takes away is less than a step an entry.
            ASSERT_GE(kept, std::min(length, max_norm) * (1 - 1e-9) - step * std::sqrt(static_cast<double>(cols)));
          }
          if (want.size() == 0) {
            want = out.clone();
          } else {
            ASSERT_TRUE(std::equal(out.values().begin(), out.values().end(), want.values().begin())) << name(level);
          }
        }
      }
    }
  }
}

// Rows whose exact norm is the limit, or a hair above it: the whole-number check has the last word.
TEST(GridRows, TheHairAboveIsRepaired) {
  Matrix rows(3, 2);
  rows(0, 0) = 3, rows(0, 1) = 4;           // exactly 5
  rows(1, 0) = 5;                           // on an axis
  rows(2, 0) = 3, rows(2, 1) = 4.0000005f;  // above by less than a double's rounding of the norm would show in float
  IntegerMatrix<int32_t> out(3, 2);
  to_grid(rows, 5, 1, out);
  EXPECT_EQ(out(0, 0), 3);
  EXPECT_EQ(out(0, 1), 4);
  EXPECT_EQ(out(1, 0), 5);
  EXPECT_LE(square_of(out.row(2)), 25);
  // A bound between two doubles of the square: 4.99... must not let 25 through.
  to_grid(rows, std::nextafter(5.0, 0.0), 1, out);
  for (int64_t r = 0; r < 3; ++r) EXPECT_LE(square_of(out.row(r)), 24);
}

TEST(GridRows, RowsThatAreNotFiniteBecomeZero) {
  Matrix rows(4, 9);
  for (Real& v : rows.values()) v = 1;
  rows(0, 3) = std::numeric_limits<Real>::infinity();
  rows(1, 8) = std::numeric_limits<Real>::quiet_NaN();
  for (Real& v : rows.row(2)) v = std::numeric_limits<Real>::max();
  IntegerMatrix<int32_t> out(4, 9);
  for (int32_t& n : out.values()) n = 77;
  to_grid(rows, 3, 0x1p-10, out);
  for (int64_t c = 0; c < 9; ++c) {
    EXPECT_EQ(out(0, c), 0);
    EXPECT_EQ(out(1, c), 0);
    EXPECT_NEAR(out(2, c), 1024, 1);  // nine equal entries of norm 3
    EXPECT_NEAR(out(3, c), 1024, 1);
  }
}

TEST(GridRows, BackFromTheGrid) {
  IntegerMatrix<int32_t> narrow(2, 3);
  IntegerMatrix<int64_t> wide(2, 3);
  for (int64_t i = 0; i < 6; ++i) {
    narrow.values()[i] = static_cast<int32_t>(i * 1001 - 2000);
    wide.values()[i] = (i - 2) * ((int64_t{1} << 60) + 3);
  }
  Matrix out(2, 3);
  from_grid(narrow, 0x1p-10, out);
  for (int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(out.values()[i], static_cast<Real>(static_cast<double>(i * 1001 - 2000) / 1024));
  }
  from_grid(wide, 0x1p-20, out);
  for (int64_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(out.values()[i], std::ldexp(static_cast<double>(i - 2), 40), std::ldexp(1.0, 18));
  }
  EXPECT_THROW(from_grid(wide, 3, out), Error);
}

TEST(GridRows, SameBitsForAnyThreadCountAndStride) {
  const Restore restore;
  Matrix rows(2000, 21);
  randomize(rows, 9);
  IntegerMatrix<int32_t> one(2000, 21), many(2000, 25);
  set_thread_count(1);
  to_grid(rows, 1, 0x1p-20, one);
  set_thread_count(4);
  to_grid(rows, 1, 0x1p-20, many.view().columns(2, 21));
  for (int64_t r = 0; r < 2000; ++r) {
    for (int64_t c = 0; c < 21; ++c) ASSERT_EQ(one(r, c), many(r, c + 2));
  }
}

}  // namespace
}  // namespace graphveil::kernels::grid_rows_test
