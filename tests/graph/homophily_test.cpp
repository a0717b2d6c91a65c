#include "graphveil/graph/homophily.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::graph::homophily_test {
namespace {

// 0-1, 0-2, 1-2, 2-3, by hand.
Dataset four(std::vector<int32_t> labels) {
  Dataset dataset;
  const std::vector<int32_t> first{0, 0, 1, 2}, second{1, 2, 2, 3};
  dataset.graph = Graph::from_undirected_edges(4, first, second);
  dataset.labels = std::move(labels);
  dataset.classes = 2;
  return dataset;
}

TEST(Homophily, CountsEdgesBetweenLabeledNodes) {
  EXPECT_EQ(edge_homophily(four({0, 0, 1, 1})), 0.5);
  EXPECT_EQ(edge_homophily(four({1, 1, 1, 1})), 1);
  EXPECT_EQ(edge_homophily(four({0, 0, 1, kUnlabeled})), 1.0 / 3);
  EXPECT_EQ(edge_homophily(four({0, kUnlabeled, kUnlabeled, 0})), std::nullopt);
}

}  // namespace
}  // namespace graphveil::graph::homophily_test
