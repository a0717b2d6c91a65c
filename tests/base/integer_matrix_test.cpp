#include "graphveil/base/integer_matrix.h"

#include <gtest/gtest.h>

namespace graphveil::integer_matrix_test {
namespace {

TEST(IntegerMatrix, OwnsZeroedAlignedNumbersAndMoves) {
  IntegerMatrix<int32_t> m(3, 5);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(m.data()) % 64, 0u);
  for (int32_t v : m.values()) EXPECT_EQ(v, 0);
  m(2, 4) = 7;
  const IntegerMatrix<int32_t> copy = m.clone();
  const IntegerMatrix<int32_t> moved = std::move(m);
  EXPECT_EQ(copy(2, 4), 7);
  EXPECT_EQ(moved.row(2)[4], 7);
  EXPECT_EQ(moved.view().columns(4, 1)(2, 0), 7);
  EXPECT_EQ(IntegerMatrix<int64_t>(0, 4).size(), 0);
  EXPECT_THROW(IntegerMatrix<int64_t>(-1, 4), Error);
}

}  // namespace
}  // namespace graphveil::integer_matrix_test
