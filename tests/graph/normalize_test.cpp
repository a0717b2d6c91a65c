#include "graphveil/graph/normalize.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/graph/small_graphs.h"

namespace graphveil::graph {
namespace {

TEST(Normalize, DenseRowsGetUnitNorm) {
  const Features features(3, 2, std::vector<Real>{3, 4, 0, 0, -1, 1});
  const Features l2 = row_normalized(features, RowNorm::L2);
  EXPECT_FLOAT_EQ(l2.dense()(0, 0), 0.6f);
  EXPECT_FLOAT_EQ(l2.dense()(0, 1), 0.8f);
  EXPECT_EQ(l2.dense()(1, 0), 0);
  const Features l1 = row_normalized(features, RowNorm::L1);
  EXPECT_FLOAT_EQ(l1.dense()(0, 0), 3.0f / 7);
  EXPECT_FLOAT_EQ(l1.dense()(2, 0), -0.5f);
}

TEST(Normalize, SparseWithAndWithoutValues) {
  SparseMatrix matrix = small_sparse(2);  // rows (0.5, 1), (1.5, 1)
  EXPECT_FLOAT_EQ(row_normalized(matrix, RowNorm::L1).sparse().values[2], 0.6f);
  matrix.values = {};
  EXPECT_FLOAT_EQ(row_normalized(matrix, RowNorm::L2).sparse().values[0], std::sqrt(0.5f));
}

}  // namespace
}  // namespace graphveil::graph
