#include "graphveil/graph/graph.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/graph/small_graphs.h"

namespace graphveil::graph::graph_test {
namespace {

TEST(Graph, DirectedGraphKnowsBothDirections) {
  const Graph graph = graph_of(4, {{0, 1}, {2, 1}, {1, 3}, {0, 3}});
  EXPECT_FALSE(graph.symmetric());
  EXPECT_EQ(graph.nodes(), 4);
  EXPECT_EQ(graph.edges(), 4);
  EXPECT_DOUBLE_EQ(graph.mean_degree(), 1.0);
  EXPECT_EQ(list(graph.out(0)), (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(list(graph.in(1)), (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(list(graph.in(3)), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(graph.out_degree(3), 0);
  EXPECT_EQ(graph.in_degree(0), 0);
  EXPECT_TRUE(graph.has_edge(2, 1));
  EXPECT_FALSE(graph.has_edge(1, 2));
}

TEST(Graph, RowOfInViewListsTheSources) {
  const Graph graph = graph_of(3, {{0, 2}, {1, 2}});
  EXPECT_EQ(list(graph.in_view().row(2)), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(list(graph.out_view().row(0)), (std::vector<int32_t>{2}));
  EXPECT_TRUE(graph.in_view().values.empty());
  EXPECT_EQ(graph.in_view().cols, 3);
}

TEST(Graph, SymmetricGraphSharesOneArray) {
  const Graph graph = graph_of(3, {{0, 1}, {1, 0}, {2, 1}, {1, 2}});
  EXPECT_TRUE(graph.symmetric());
  EXPECT_EQ(graph.in_lists().neighbors.data(), graph.out_lists().neighbors.data());
}

TEST(Graph, UndirectedEdgesCountTwice) {
  const std::vector<int32_t> first{0, 1, 2, 0}, second{1, 0, 2, 2};
  EdgeCleanup cleanup;
  const Graph graph = Graph::from_undirected_edges(3, first, second, &cleanup);
  EXPECT_EQ(edges_of(graph), (EdgeSet{{0, 1}, {1, 0}, {0, 2}, {2, 0}}));
  EXPECT_TRUE(graph.symmetric());
  EXPECT_EQ(cleanup.stored, 8);
  EXPECT_EQ(cleanup.self_loops, 2);
  EXPECT_EQ(cleanup.duplicates, 2);
}

TEST(Graph, BothDirectionsAreCheckedAgainstEachOther) {
  const Graph graph = graph_of(4, {{0, 1}, {2, 1}, {1, 3}});
  const Graph again = Graph::from_both(graph.out_lists(), graph.in_lists());
  EXPECT_EQ(edges_of(again), edges_of(graph));
  EXPECT_EQ(again.out_lists().neighbors.data(), graph.out_lists().neighbors.data());
  EXPECT_THROW(Graph::from_both(graph.out_lists(), graph.out_lists()), Error);
  const Adjacency unsorted{std::vector<int64_t>{0, 2, 2, 2}, std::vector<int32_t>{2, 1}};
  EXPECT_THROW(Graph::from_both(unsorted, unsorted), Error);
}

TEST(Graph, SymmetrizedAddsTheReverseEdges) {
  const Graph graph = symmetrized(graph_of(3, {{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(edges_of(graph), (EdgeSet{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_TRUE(graph.symmetric());
}

TEST(Graph, EmptyGraph) {
  const Graph graph;
  EXPECT_EQ(graph.nodes(), 0);
  EXPECT_EQ(graph.edges(), 0);
  EXPECT_EQ(graph.mean_degree(), 0);
}

}  // namespace
}  // namespace graphveil::graph::graph_test
