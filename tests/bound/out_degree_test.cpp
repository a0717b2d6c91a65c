#include "graphveil/bound/out_degree.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "tests/threads.h"

namespace graphveil::bound {
namespace {

graph::Graph random_graph(int64_t nodes, int64_t edges, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "test graph");
  std::vector<int32_t> from, to;
  for (int64_t e = 0; e < edges; ++e) {
    from.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes))));
    to.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes))));
  }
  return graph::Graph::from_edges(nodes, from, to);
}

// The graph without the outgoing edges of one node.
graph::Graph blanked(const graph::Graph& graph, int64_t node) {
  std::vector<int32_t> from, to;
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    if (u == node) continue;
    for (int32_t v : graph.out(u)) {
      from.push_back(static_cast<int32_t>(u));
      to.push_back(v);
    }
  }
  return graph::Graph::from_edges(graph.nodes(), from, to);
}

TEST(BoundOutDegree, KeepsAtMostTheBoundAndOnlyOwnEdges) {
  const graph::Graph graph = random_graph(50, 800, 1);
  const graph::Graph bounded = bound_out_degree(graph, 5, Seed::from_number(3));
  EXPECT_GT(max_out_degree(graph), 5);
  EXPECT_EQ(max_out_degree(bounded), 5);
  for (int64_t u = 0; u < 50; ++u) {
    EXPECT_EQ(bounded.out_degree(u), std::min<int64_t>(5, graph.out_degree(u)));
    for (int32_t v : bounded.out(u)) EXPECT_TRUE(graph.has_edge(u, v));
  }
}

TEST(BoundOutDegree, BlankingOneRecordChangesNoOtherList) {
  const graph::Graph graph = random_graph(40, 600, 2);
  const Seed seed = Seed::from_number(9);
  const graph::Graph whole = bound_out_degree(graph, 4, seed);
  for (int64_t node = 0; node < 40; ++node) {
    const graph::Graph rest = bound_out_degree(blanked(graph, node), 4, seed);
    for (int64_t u = 0; u < 40; ++u) {
      if (u == node) {
        EXPECT_EQ(rest.out_degree(u), 0);
        continue;
      }
      EXPECT_TRUE(std::ranges::equal(whole.out(u), rest.out(u))) << "blanking " << node << " moved the list of " << u;
    }
  }
}

TEST(BoundOutDegree, ChoosesUniformly) {
  // One node with 6 targets, 2 kept: each of the 15 pairs in 1/15 of 6,000 draws.
  std::vector<int32_t> from(6, 0), to{1, 2, 3, 4, 5, 6};
  const graph::Graph graph = graph::Graph::from_edges(7, from, to);
  std::map<std::pair<int32_t, int32_t>, int> counts;
  constexpr int kDraws = 6000;
  for (int i = 0; i < kDraws; ++i) {
    const graph::Graph bounded = bound_out_degree(graph, 2, Seed::from_number(static_cast<uint64_t>(i)));
    ++counts[{bounded.out(0)[0], bounded.out(0)[1]}];
  }
  EXPECT_EQ(counts.size(), 15u);
  double chi_square = 0;
  for (const auto& [pair, count] : counts)
    chi_square += (count - kDraws / 15.0) * (count - kDraws / 15.0) / (kDraws / 15.0);
  EXPECT_LT(chi_square, 36.1);  // 0.999 quantile at 14 degrees of freedom
}

TEST(BoundOutDegree, SameForAnyNumberOfThreadsAndLeavesSmallDegreesAlone) {
  const graph::Graph graph = random_graph(20000, 200000, 4);
  set_thread_count(1);
  const graph::Graph one = bound_out_degree(graph, 6, Seed::from_number(5));
  set_thread_count(2);
  const graph::Graph two = bound_out_degree(graph, 6, Seed::from_number(5));
  EXPECT_TRUE(std::ranges::equal(one.out_view().indices, two.out_view().indices));
  const graph::Graph same = bound_out_degree(graph, 1000, Seed::from_number(5));
  EXPECT_EQ(same.edges(), graph.edges());
  EXPECT_THROW(bound_out_degree(graph, 0, Seed::from_number(5)), Error);
}

}  // namespace
}  // namespace graphveil::bound
