// A list of rows that ranks share out, with threads in the place of processes.
#include "graphveil/base/shared_rows.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "graphveil/base/error.h"
#include "tests/ranks.h"

namespace graphveil::shared_rows_test {
namespace {

// So many rows each, none on the first.
int64_t rows_of(int rank) { return rank * int64_t{4}; }

TEST(SharedRows, StretchesFollowEachOther) {
  tests::on_ranks(3, [](Ranks& ranks) {
    const SharedRows rows(ranks, rows_of(ranks.rank()));
    EXPECT_EQ(rows.first(), ranks.rank() == 2 ? 4 : 0);
    EXPECT_EQ(rows.own(), rows_of(ranks.rank()));
    EXPECT_EQ(rows.all(), 12);
    EXPECT_FALSE(rows.cut_within(4));
    EXPECT_FALSE(rows.cut_within(2));
    EXPECT_TRUE(rows.cut_within(3));
    EXPECT_TRUE(rows.cut_within(8));
    EXPECT_EQ(rows.sum(ranks.rank() + 1), 6);
  });
}

TEST(SharedRows, EachGoesOnWithWhatTheOneBeforeLeft) {
  for (const int size : {1, 2, 5}) {
    tests::on_ranks(size, [&](Ranks& ranks) {
      const SharedRows rows(ranks, 1);
      int64_t number = ranks.first() ? 1 : -7;  // rank 0's counts
      rows.in_turn(std::span(&number, 1), [&] { number = 10 * number + ranks.rank(); });
      int64_t expected = 1;
      for (int r = 0; r < size; ++r) expected = 10 * expected + r;
      EXPECT_EQ(number, expected);
    });
  }
}

TEST(SharedRows, WhoHasTheFirstRowTellsIt) {
  tests::on_ranks(4, [](Ranks& ranks) {
    const SharedRows rows(ranks, rows_of(ranks.rank()));
    std::array<int32_t, 2> values{ranks.rank(), 5 * ranks.rank()};
    rows.tell_first(std::span<int32_t>(values));
    EXPECT_EQ(values, (std::array<int32_t, 2>{1, 5}));
  });
  EXPECT_THROW(tests::on_ranks(2,
                               [](Ranks& ranks) {
                                 const SharedRows none(ranks, 0);
                                 int32_t value = 0;
                                 none.tell_first(std::span(&value, 1));
                               }),
               Error);
}

TEST(SharedRows, AllRowsAreGatheredInOrder) {
  tests::on_ranks(3, [](Ranks& ranks) {
    const SharedRows rows(ranks, rows_of(ranks.rank()));
    Matrix own(rows.own(), 2);
    for (int64_t r = 0; r < own.rows(); ++r) own(r, 1) = static_cast<Real>(rows.first() + r);
    const Matrix all = rows.gathered(own);
    ASSERT_EQ(all.rows(), 12);
    for (int64_t r = 0; r < all.rows(); ++r) EXPECT_EQ(all(r, 1), static_cast<Real>(r));
  });
}

}  // namespace
}  // namespace graphveil::shared_rows_test
