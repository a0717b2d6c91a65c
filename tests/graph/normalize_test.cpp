#include "graphveil/graph/normalize.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/graph/small_graphs.h"

namespace graphveil::graph::normalize_test {
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

TEST(NormalizedWithConstant, IsOneAfterTheOther) {
  const Features dense(3, 2, std::vector<Real>{3, 4, 0, 0, -1, 1});
  const Features both = normalized_with_constant(dense, RowNorm::L2, Real{0.5});
  const Features in_turn = with_constant(row_normalized(dense, RowNorm::L2), Real{0.5});
  ASSERT_EQ(both.cols(), 3);
  for (int64_t r = 0; r < 3; ++r) EXPECT_TRUE(std::ranges::equal(both.dense().row(r), in_turn.dense().row(r)));
  const Features sparse(small_sparse(2));
  EXPECT_TRUE(std::ranges::equal(normalized_with_constant(sparse, RowNorm::L2, Real{0.5}).sparse().values,
                                 with_constant(row_normalized(sparse, RowNorm::L2), Real{0.5}).sparse().values));
}

TEST(WithConstant, AddsOneColumnToSparseAndDenseAlike) {
  Matrix dense(3, 2);
  dense(0, 1) = 4;
  dense(2, 0) = -1;
  const SparseMatrix sparse{3, 2, SharedArray<int64_t>(std::vector<int64_t>{0, 1, 1, 2}),
                            SharedArray<int32_t>(std::vector<int32_t>{1, 0}),
                            SharedArray<Real>(std::vector<Real>{4, -1})};
  const Features a = with_constant(Features(std::move(dense)), Real{0.5}),
                 b = with_constant(Features(sparse), Real{0.5});
  ASSERT_EQ(a.cols(), 3);
  ASSERT_EQ(b.cols(), 3);
  ASSERT_EQ(b.entries(), 5);
  const SparseView view = b.sparse();
  Matrix filled(3, 3);
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t e = view.offsets[r]; e < view.offsets[r + 1]; ++e) filled(r, view.indices[e]) = view.values[e];
    EXPECT_EQ(a.dense()(r, 2), Real{0.5});
    for (int64_t c = 0; c < 3; ++c) EXPECT_EQ(a.dense()(r, c), filled(r, c));
  }
}

}  // namespace
}  // namespace graphveil::graph::normalize_test
