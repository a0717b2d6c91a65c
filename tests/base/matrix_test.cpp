#include "graphveil/base/matrix.h"

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

namespace graphveil::matrix_test {
namespace {

TEST(Matrix, StartsZeroAlignedAndRowMajor) {
  Matrix m(3, 5);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(m.data()) % 64, 0u);
  for (Real v : m.values()) EXPECT_EQ(v, 0);
  m(2, 4) = 7;
  EXPECT_EQ(m.data()[14], 7);
}

TEST(Matrix, ViewsSelectRowsAndColumns) {
  Matrix m(4, 3);
  for (int64_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<Real>(i);
  const ConstMatrixView middle = std::as_const(m).view().rows_at(1, 2).columns(1, 2);
  EXPECT_EQ(middle.rows, 2);
  EXPECT_EQ(middle.cols, 2);
  EXPECT_EQ(middle(0, 0), 4);
  EXPECT_EQ(middle(1, 1), 8);
  EXPECT_FALSE(middle.contiguous());
  EXPECT_TRUE(m.view().contiguous());
}

TEST(Matrix, MoveTakesAndCloneCopies) {
  Matrix a(2, 2);
  a(0, 1) = 3;
  Matrix copy = a.clone();
  Matrix b = std::move(a);
  b(0, 1) = 4;
  EXPECT_EQ(copy(0, 1), 3);
  EXPECT_EQ(b(0, 1), 4);
}

TEST(Matrix, RefusesNegativeAndHugeShapes) {
  EXPECT_THROW(Matrix(-1, 2), Error);
  EXPECT_THROW(Matrix(2, -1), Error);
  EXPECT_THROW(Matrix(int64_t{1} << 40, 1 << 20), Error);
}

TEST(Matrix, EmptyShapesWork) {
  EXPECT_EQ(Matrix(0, 5).size(), 0);
  EXPECT_EQ(Matrix(5, 0).view().rows, 5);
  EXPECT_EQ(Matrix().clone().size(), 0);
}

}  // namespace
}  // namespace graphveil::matrix_test
