#include "graphveil/base/sparse_matrix.h"

#include <gtest/gtest.h>

namespace graphveil::sparse_matrix_test {
namespace {

TEST(SparseMatrix, ViewReadsRows) {
  SparseMatrix m;
  m.rows = 3;
  m.cols = 4;
  m.offsets = std::vector<int64_t>{0, 2, 2, 3};
  m.indices = std::vector<int32_t>{1, 3, 0};
  const SparseView view = m;
  EXPECT_EQ(view.entries(), 3);
  EXPECT_EQ(view.row(0).size(), 2u);
  EXPECT_EQ(view.row(0)[1], 3);
  EXPECT_TRUE(view.row(1).empty());
  EXPECT_EQ(view.row(2)[0], 0);
}

TEST(SparseMatrix, DefaultIsEmptyButWellFormed) {
  const SparseMatrix m;
  EXPECT_EQ(m.view().rows, 0);
  EXPECT_EQ(m.view().offsets.size(), 1u);
}

}  // namespace
}  // namespace graphveil::sparse_matrix_test
