#include "graphveil/report/node_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::report::node_map_test {
namespace {

Matrix table(int64_t rows, const std::vector<Real>& values) {
  Matrix out(rows, static_cast<int64_t>(values.size()) / rows);
  std::copy(values.begin(), values.end(), out.view().data);
  return out;
}

TEST(NodeMap, AxesAreThePrincipalComponents) {
  // The third column does not vary; the first varies most. So x is the first less its mean, y the second.
  const Matrix one = table(4, {1, 0.5, 0.25, -1, 0.5, 0.25, 0, 0.75, 0.25, 0, 0.25, 0.25});
  const std::vector<ConstMatrixView> tables{one.view()};
  const auto maps = node_maps(tables, 100);
  ASSERT_EQ(maps.size(), 1u);
  const std::vector<std::pair<double, double>> want{{1, 0}, {-1, 0}, {0, 0.25}, {0, -0.25}};
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(maps[0][i].x, want[i].first, 1e-9);
    EXPECT_NEAR(maps[0][i].y, want[i].second, 1e-9);
  }
  EXPECT_EQ(maps[0][0].predicted, 0);
  EXPECT_EQ(maps[0][2].predicted, 1);
}

TEST(NodeMap, AllTablesShareOnePlane) {
  const Matrix one = table(2, {1, 0, 0, 0, 1, 0}), two = table(2, {0, 1, 0, 0, 0, 1});
  const std::vector<ConstMatrixView> tables{one.view(), two.view()};
  const auto maps = node_maps(tables, 100);
  EXPECT_NEAR(maps[0][1].x, maps[1][0].x, 1e-9) << "the same row lies in the same place";
  EXPECT_NEAR(maps[0][1].y, maps[1][0].y, 1e-9);
}

TEST(NodeMap, OfManyNodesSomeAreShownEvenly) {
  std::vector<Real> values;
  for (int i = 0; i < 1000; ++i) values.insert(values.end(), {static_cast<Real>(i), 0, 0});
  const Matrix one = table(1000, values);
  const std::vector<ConstMatrixView> tables{one.view()};
  const auto maps = node_maps(tables, 10);
  ASSERT_EQ(maps[0].size(), 10u);
  EXPECT_NEAR(maps[0][1].x - maps[0][0].x, 100, 1e-6);
}

TEST(NodeMap, WantsAPlane) {
  const Matrix two = table(1, {0.5, 0.5}), three = table(1, {0, 0, 1}), four = table(1, {0, 0, 0, 1});
  const std::vector<ConstMatrixView> narrow{two.view()}, mixed{three.view(), four.view()};
  EXPECT_THROW(node_maps(narrow, 10), Error);
  EXPECT_THROW(node_maps(mixed, 10), Error);
  EXPECT_TRUE(node_maps({}, 10).empty());
}

}  // namespace
}  // namespace graphveil::report::node_map_test
