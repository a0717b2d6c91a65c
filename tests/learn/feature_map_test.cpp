#include "graphveil/learn/feature_map.h"

#include <gtest/gtest.h>

namespace graphveil::learn::feature_map_test {
namespace {

// Rows (1 0 2), (0 0 3).
SparseMatrix sparse() {
  return {2, 3, SharedArray<int64_t>({0, 2, 3}), SharedArray<int32_t>({0, 2, 2}), SharedArray<Real>({1, 2, 3})};
}

Matrix dense() {
  Matrix m(2, 3);
  m(0, 0) = 1;
  m(0, 2) = 2;
  m(1, 2) = 3;
  return m;
}

TEST(FeatureMap, SparseAndDenseMultiplyFromBothSides) {
  Matrix w(3, 1), u(2, 1);
  w(0, 0) = 10;
  w(1, 0) = 100;
  w(2, 0) = 1;
  u(0, 0) = 1;
  u(1, 0) = 10;
  for (const graph::Features& features : {graph::Features(sparse()), graph::Features(dense())}) {
    Matrix right(2, 1), same(2, 1), left(3, 1);
    multiply(features, w, right);
    EXPECT_EQ(right(0, 0), 12);
    EXPECT_EQ(right(1, 0), 3);
    const kernels::LinearMap map = feature_map(features);
    EXPECT_EQ(map.rows, 2);
    EXPECT_EQ(map.cols, 3);
    map.apply(w, same);
    EXPECT_EQ(same(0, 0), 12);
    map.apply_transposed(u, left);
    EXPECT_EQ(left(0, 0), 1);
    EXPECT_EQ(left(1, 0), 0);
    EXPECT_EQ(left(2, 0), 32);
  }
}

}  // namespace
}  // namespace graphveil::learn::feature_map_test
