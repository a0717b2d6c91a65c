#include "graphveil/nn/sample_rows.h"

#include <gtest/gtest.h>

namespace graphveil::nn::sample_rows_test {
namespace {

using Offsets = std::vector<int64_t>;

TEST(SampleRows, OneRowEach) {
  SampleRows rows;
  const std::vector<int32_t> owners = {0, 1, 2};
  rows.assign(owners, 3);
  EXPECT_TRUE(rows.one_row_each());
  EXPECT_TRUE(rows.contiguous());
  rows.assign(owners, 4);
  EXPECT_FALSE(rows.one_row_each()) << "sample 3 has no row";
}

TEST(SampleRows, SortedOwnersNeedNoOrder) {
  SampleRows rows;
  const std::vector<int32_t> owners = {0, 0, 2, 2, 2};
  rows.assign(owners, 4);
  EXPECT_TRUE(rows.contiguous());
  EXPECT_FALSE(rows.one_row_each());
  EXPECT_EQ(Offsets(rows.offsets().begin(), rows.offsets().end()), (Offsets{0, 2, 2, 5, 5}));
  EXPECT_EQ(rows.rows(), 5);
}

TEST(SampleRows, AnyOtherOrderIsGrouped) {
  SampleRows rows;
  const std::vector<int32_t> owners = {2, 0, 2, 1, 0};
  rows.assign(owners, 3);
  EXPECT_FALSE(rows.contiguous());
  EXPECT_EQ(Offsets(rows.offsets().begin(), rows.offsets().end()), (Offsets{0, 2, 3, 5}));
  EXPECT_EQ(std::vector<int32_t>(rows.order().begin(), rows.order().end()), (std::vector<int32_t>{1, 4, 3, 0, 2}));
}

TEST(SampleRows, NoSamples) {
  SampleRows rows;
  rows.assign({}, 0);
  EXPECT_EQ(rows.samples(), 0);
  EXPECT_EQ(rows.rows(), 0);
}

}  // namespace
}  // namespace graphveil::nn::sample_rows_test
