#include "graphveil/graph/block_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::block_model_test {
namespace {

BlockModel two_groups(int64_t nodes, double inside, double across) {
  BlockModel model;
  model.groups = 2;
  for (int64_t v = 0; v < nodes; ++v) {
    model.group.push_back(static_cast<int32_t>(v % 2));
    model.inside.push_back(inside);
    model.across.push_back(across);
  }
  return model;
}

TEST(BlockModel, ShareOfEdgesInsideGroups) {
  const Graph graph = draw_block_model(two_groups(4000, 3, 1), 20, Seed::from_number(1));
  EXPECT_TRUE(graph.symmetric());
  EXPECT_NEAR(graph.mean_degree(), 20, 0.2);
  int64_t inside = 0;
  for (const auto& [u, v] : edges_of(graph)) inside += u % 2 == v % 2;
  // Three quarters inside, and half of the others by chance. 40,000 undirected edges: 5 sigma is 0.8%.
  EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(graph.edges()), 0.875, 0.009);
}

TEST(BlockModel, DegreesFollowTheActivities) {
  BlockModel model = two_groups(4000, 1, 1);
  model.inside[17] = model.across[17] = 10;
  const Graph graph = draw_block_model(model, 20, Seed::from_number(1));
  EXPECT_NEAR(static_cast<double>(graph.out_degree(17)), 200, 75);  // 5 sigma
}

TEST(BlockModel, LossesAreMadeUpForInADenseGraph) {
  const Graph graph = draw_block_model(two_groups(200, 1, 0.5), 45, Seed::from_number(1));
  EXPECT_NEAR(graph.mean_degree(), 45, 45 * 0.05);
}

TEST(BlockModel, GroupsWithoutRoomOrActivityAreNoTrouble) {
  BlockModel model = two_groups(100, 0, 1);
  model.groups = 4;  // two of them empty
  EXPECT_NEAR(draw_block_model(model, 4, Seed::from_number(1)).mean_degree(), 4, 0.2);
}

TEST(BlockModel, TooSmallForTheDegreeIsRefused) {
  EXPECT_THROW(draw_block_model(two_groups(40, 1, 1), 11, Seed::from_number(1)), Error);
  BlockModel model = two_groups(100, 1, 1);
  model.group[3] = 2;
  EXPECT_THROW(draw_block_model(model, 4, Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::graph::block_model_test
