#include "graphveil/graph/subgraph.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::subgraph_test {
namespace {

TEST(Subgraph, KeepsEdgesBetweenChosenNodes) {
  const Graph graph = graph_of(5, {{0, 1}, {1, 3}, {3, 4}, {4, 0}, {2, 3}});
  const Graph part = induced_subgraph(graph, std::vector<int32_t>{0, 3, 4});
  EXPECT_EQ(edges_of(part), (EdgeSet{{1, 2}, {2, 0}}));
  EXPECT_EQ(part.nodes(), 3);
}

TEST(Subgraph, WhoIsHeardWithinSomeHops) {
  const Graph graph = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {4, 2}, {3, 5}});
  const auto heard = [&](std::vector<int32_t> nodes, int64_t hops) { return heard_by(graph, nodes, hops); };
  EXPECT_EQ(heard({3}, 0), (std::vector<int32_t>{3}));
  EXPECT_EQ(heard({3}, 1), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(heard({3}, 2), (std::vector<int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(heard({1, 3}, 9), (std::vector<int32_t>{0, 1, 2, 3, 4}));  // 5 hears and is not heard
}

TEST(Subgraph, CarriesFeaturesLabelsAndSplit) {
  const Dataset part = induced_subgraph(path_dataset(), std::vector<int32_t>{1, 2, 4});
  check(part);
  EXPECT_EQ(edges_of(part.graph), (EdgeSet{{0, 1}, {1, 0}}));
  EXPECT_TRUE(part.graph.symmetric());
  EXPECT_EQ(part.features.dense()(2, 1), 41);
  EXPECT_EQ(list(part.labels), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(part.classes, 3);
  EXPECT_TRUE(part.split->train.empty());
  EXPECT_EQ(part.split->val, (std::vector<int32_t>{0}));
  EXPECT_EQ(part.split->test, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(part.cleanup.stored, 2);
}

TEST(Subgraph, NodesMustRiseAndExist) {
  EXPECT_THROW(induced_subgraph(path_dataset(), std::vector<int32_t>{1, 0}), Error);
  EXPECT_THROW(induced_subgraph(path_dataset(), std::vector<int32_t>{1, 1}), Error);
  EXPECT_THROW(induced_subgraph(path_dataset(), std::vector<int32_t>{6}), Error);
}

TEST(Subgraph, EdgesWithinParts) {
  const Graph graph = Graph::from_edges(4, std::vector<int32_t>{0, 1, 2, 3}, std::vector<int32_t>{1, 2, 3, 0});
  const Graph kept = edges_within_parts(graph, std::vector<int32_t>{1, 1, 2, 2});
  EXPECT_EQ(kept.nodes(), 4);
  EXPECT_EQ(kept.edges(), 2);
  EXPECT_TRUE(kept.has_edge(0, 1));
  EXPECT_TRUE(kept.has_edge(2, 3));
  EXPECT_THROW(edges_within_parts(graph, std::vector<int32_t>{1}), Error);
}

}  // namespace
}  // namespace graphveil::graph::subgraph_test
