#include "graphveil/graph/features.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::features_test {
namespace {

TEST(Features, DenseFromAMatrixKeepsItsValues) {
  Matrix matrix(2, 3);
  matrix(1, 2) = 7;
  const Real* data = matrix.data();
  const Features features(std::move(matrix));
  EXPECT_FALSE(features.is_sparse());
  EXPECT_EQ(features.rows(), 2);
  EXPECT_EQ(features.cols(), 3);
  EXPECT_EQ(features.entries(), 6);
  EXPECT_EQ(features.dense()(1, 2), 7);
  EXPECT_EQ(features.dense().data, data);
  EXPECT_THROW(features.sparse(), Error);
}

TEST(Features, SparseKeepsItsValues) {
  const Features features(small_sparse(3));
  EXPECT_TRUE(features.is_sparse());
  EXPECT_EQ(features.cols(), 7);
  EXPECT_EQ(features.entries(), 6);
  EXPECT_THROW(features.dense(), Error);
}

TEST(Features, RowsInAnyOrderAndMoreThanOnce) {
  const std::vector<int32_t> rows{2, 0, 2};
  const Matrix filled = Features(small_sparse(3)).dense_rows_at(rows);
  EXPECT_EQ(filled.cols(), 7);
  for (const int64_t c : {0, 1, 3, 4, 5}) EXPECT_EQ(filled(0, c), 0);
  for (const int64_t c : {2, 6}) EXPECT_NE(filled(0, c), 0);
  EXPECT_EQ(path_dataset().features.dense_rows_at(rows)(0, 1), 21);
  const Features dense = path_dataset().features.rows_at(rows);
  EXPECT_EQ(dense.dense()(0, 1), 21);
  EXPECT_EQ(dense.dense()(1, 0), 0);
  EXPECT_EQ(dense.dense()(2, 0), 20);
  const Features sparse = Features(small_sparse(3)).rows_at(rows);
  EXPECT_EQ(list(sparse.sparse().view().row(0)), (std::vector<int32_t>{2, 6}));
  EXPECT_EQ(sparse.sparse().values[2], Real{0.5});
  EXPECT_EQ(sparse.sparse().values[4], Real{2.5});
  EXPECT_EQ(sparse.cols(), 7);
}

TEST(Features, SparseRowsWithoutValuesStayWithout) {
  SparseMatrix ones = small_sparse(2);
  ones.values = {};
  EXPECT_TRUE(Features(ones).rows_at(std::vector<int32_t>{1}).sparse().values.empty());
}

TEST(Features, WrongSizesAreRefused) {
  EXPECT_THROW(Features(2, 2, std::vector<Real>(3)), Error);
  EXPECT_THROW(path_dataset().features.rows_at(std::vector<int32_t>{6}), Error);
  SparseMatrix matrix = small_sparse(2);
  matrix.rows = 3;
  EXPECT_THROW(Features{matrix}, Error);
}

}  // namespace
}  // namespace graphveil::graph::features_test
