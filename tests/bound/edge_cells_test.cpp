#include "graphveil/bound/edge_cells.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "tests/mechanism/access.h"

namespace graphveil::bound::edge_cells_test {
namespace {

using Ints = std::vector<int32_t>;

mechanism::Plan edges_plan() {
  return {{account::Event("count", account::DiscreteLaplace{1}), edge_count_bound()},
          {account::Event("cells", account::RandomizedResponse{1, 2}), edge_cells_bound()}};
}

int64_t counted(const graph::Graph& graph, Relation relation) {
  auto release = mechanism::Release::clear(relation, edges_plan());
  return release.discrete_laplace("count", edge_count(graph, relation)).value();
}

std::vector<int64_t> cells(const graph::Graph& graph, Relation relation) {
  auto release = mechanism::Release::clear(relation, edges_plan());
  return release.randomized_set("cells", edge_cells(graph, relation), pair_cells(graph.nodes()), 1).value();
}

TEST(EdgeCells, ADirectedEdgeIsOneCell) {
  const auto graph = graph::Graph::from_edges(4, Ints{0, 3, 1}, Ints{1, 0, 0});
  EXPECT_EQ(cells(graph, Relation::Edge), (std::vector<int64_t>{1, 4, 12}));
  EXPECT_EQ(counted(graph, Relation::Edge), 3);
}

TEST(EdgeCells, BothDirectionsOfAnUndirectedEdgeAreOneCell) {
  const auto graph = graph::Graph::from_undirected_edges(4, Ints{0, 3}, Ints{1, 0});
  EXPECT_EQ(cells(graph, Relation::UndirectedEdge), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(counted(graph, Relation::UndirectedEdge), 2);
  EXPECT_EQ(cells(graph, Relation::Edge).size(), 4u) << "two of them under edge";
}

TEST(EdgeCells, StateWhatOneEdgeDoes) {
  const auto graph = graph::Graph::from_undirected_edges(4, Ints{0, 3}, Ints{1, 0});
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    EXPECT_EQ(edge_count(graph, relation).sensitivity().amount, 1);
    EXPECT_EQ(edge_count(graph, relation).sensitivity().norm, Norm::L1);
    EXPECT_EQ(edge_cells(graph, relation).sensitivity().amount, 1);
    EXPECT_EQ(edge_cells(graph, relation).sensitivity().norm, Norm::Hamming);
    EXPECT_EQ(edge_cells(graph, relation).sensitivity().relation, relation);
  }
}

// Every edge of a random graph taken away: one cell goes, and the count falls by one.
TEST(EdgeCells, OneEdgeMovesOneCell) {
  RandomStream random(Seed::from_number(5), "edge cells");
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    const bool undirected = relation == Relation::UndirectedEdge;
    std::set<std::pair<int32_t, int32_t>> pairs;
    while (pairs.size() < 20) {
      const auto u = static_cast<int32_t>(random.below(9)), v = static_cast<int32_t>(random.below(9));
      if (u != v) pairs.insert(undirected ? std::pair(std::min(u, v), std::max(u, v)) : std::pair(u, v));
    }
    const auto make = [&](const std::set<std::pair<int32_t, int32_t>>& edges) {
      Ints from, to;
      for (const auto& [u, v] : edges) {
        from.push_back(u);
        to.push_back(v);
      }
      return undirected ? graph::Graph::from_undirected_edges(9, from, to) : graph::Graph::from_edges(9, from, to);
    };
    const graph::Graph whole = make(pairs);
    const std::vector<int64_t> all = cells(whole, relation);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    for (const auto& edge : pairs) {
      auto fewer = pairs;
      fewer.erase(edge);
      const std::vector<int64_t> rest = cells(make(fewer), relation);
      std::vector<int64_t> differ;
      std::ranges::set_symmetric_difference(all, rest, std::back_inserter(differ));
      EXPECT_EQ(differ.size(), 1u);
      EXPECT_EQ(counted(whole, relation) - counted(make(fewer), relation), 1);
    }
    EXPECT_EQ(graph_of_cells(9, relation, all).edges(), whole.edges()) << "and back";
    const std::vector<int64_t> falling(all.rbegin(), all.rend());
    EXPECT_EQ(graph_of_cells(9, relation, falling).edges(), whole.edges()) << "in any order";
  }
}

TEST(EdgeCells, CellsThatStandForNoPairAreDropped) {
  // 0 - 0 and, for undirected edges, 2 - 1, which is 1 - 2 in the other order.
  EXPECT_EQ(graph_of_cells(3, Relation::Edge, {0, 1, 7}).edges(), 2);
  EXPECT_EQ(graph_of_cells(3, Relation::UndirectedEdge, {0, 1, 7}).edges(), 2) << "0 - 1, both ways";
  EXPECT_EQ(possible_edges(5, Relation::Edge), 20);
  EXPECT_EQ(possible_edges(5, Relation::UndirectedEdge), 10);
}

TEST(EdgeCells, RefusesWhatTheyDoNotBound) {
  const auto directed = graph::Graph::from_edges(3, Ints{0}, Ints{1});
  EXPECT_THROW(edge_cells(directed, Relation::UndirectedEdge), Error);
  for (const Relation relation : {Relation::Node, Relation::Record}) {
    EXPECT_THROW(edge_cells(directed, relation), Error);
    EXPECT_THROW(edge_count(directed, relation), Error);
  }
  EXPECT_THROW(pair_cells(int64_t{1} << 40), Error);
}

}  // namespace
}  // namespace graphveil::bound::edge_cells_test
