#include "graphveil/bound/out_degree.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "tests/threads.h"

namespace graphveil::bound::out_degree_test {
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

// The graph without the outgoing edges of one node; under node also without those into it.
graph::Graph blanked(const graph::Graph& graph, int64_t node, Relation relation = Relation::Record) {
  std::vector<int32_t> from, to;
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    if (u == node) continue;
    for (int32_t v : graph.out(u)) {
      if (relation == Relation::Node && v == node) continue;
      from.push_back(static_cast<int32_t>(u));
      to.push_back(v);
    }
  }
  return graph::Graph::from_edges(graph.nodes(), from, to);
}

TEST(BoundOutDegree, KeepsAtMostTheBoundAndOnlyOwnEdges) {
  const graph::Graph graph = random_graph(50, 800, 1);
  const BoundedGraph kept = bound_out_degree(graph, 5, Seed::from_number(3));
  const graph::Graph& bounded = kept.graph();
  EXPECT_EQ(kept.relation(), Relation::Record);
  EXPECT_EQ(kept.max_out_degree(), 5);
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
  const graph::Graph whole = bound_out_degree(graph, 4, seed).graph();
  for (int64_t node = 0; node < 40; ++node) {
    const graph::Graph rest = bound_out_degree(blanked(graph, node), 4, seed).graph();
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
    const graph::Graph bounded = bound_out_degree(graph, 2, Seed::from_number(static_cast<uint64_t>(i))).graph();
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
  const graph::Graph one = bound_out_degree(graph, 6, Seed::from_number(5)).graph();
  set_thread_count(2);
  const graph::Graph two = bound_out_degree(graph, 6, Seed::from_number(5)).graph();
  EXPECT_TRUE(std::ranges::equal(one.out_view().indices, two.out_view().indices));
  const graph::Graph same = bound_out_degree(graph, 1000, Seed::from_number(5)).graph();
  EXPECT_EQ(same.edges(), graph.edges());
  EXPECT_THROW(bound_out_degree(graph, 0, Seed::from_number(5)), Error);
}

// Why `bound_out_degree` is for record alone: where a node can leave others' lists, they draw again.
TEST(BoundOutDegree, IsNotStableUnderNode) {
  const graph::Graph graph = random_graph(40, 600, 2);
  const Seed seed = Seed::from_number(9);
  const graph::Graph whole = bound_out_degree(graph, 4, seed).graph();
  const graph::Graph rest = bound_out_degree(blanked(graph, 7, Relation::Node), 4, seed).graph();
  int64_t moved = 0;
  for (int64_t u = 0; u < 40; ++u) {
    std::vector<int32_t> before(whole.out(u).begin(), whole.out(u).end());
    std::erase(before, 7);
    moved += u != 7 && !std::ranges::includes(rest.out(u), before);
  }
  EXPECT_GT(moved, 0);
}

TEST(DeclaredDegrees, TrimNothingAndRefuseWhatIsNotTrue) {
  const std::vector<int32_t> from{0, 0, 1, 2, 3}, to{1, 2, 3, 3, 0};
  const graph::Graph graph = graph::Graph::from_edges(4, from, to);
  const BoundedGraph two = declared_degrees(graph, 2);
  EXPECT_EQ(two.graph().edges(), 5);
  EXPECT_EQ(two.relation(), Relation::Node);
  EXPECT_EQ(two.max_out_degree(), 2);
  EXPECT_THROW(declared_degrees(graph, 1), Error) << "node 0 sends two";
  EXPECT_THROW(declared_degrees(graph, 0), Error);
  const std::vector<int32_t> in_from{0, 1, 2}, in_to{3, 3, 3};
  EXPECT_THROW(declared_degrees(graph::Graph::from_edges(4, in_from, in_to), 2), Error) << "node 3 hears three";
}

TEST(ForProtectedDegree, KeepsEveryEdgeAndIsProvedForOneHop) {
  const graph::Graph graph = random_graph(50, 800, 1);
  const BoundedGraph bounded = for_protected_degree(graph, 3);
  EXPECT_EQ(bounded.graph().edges(), graph.edges()) << "nodes of higher degree are not trimmed";
  EXPECT_EQ(bounded.relation(), Relation::Node);
  EXPECT_EQ(bounded.draw(0.5, 1).deletions, 4);
  EXPECT_EQ(bounded.draw(0.5, 1).insertions, 3);
  EXPECT_EQ(bounded.draw(0.5, 0).deletions, 1);
  try {
    bounded.draw(0.5, 2);
    FAIL() << "two hops have no proof";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  }
  EXPECT_THROW(for_protected_degree(graph, 0), Error);
}

TEST(BoundedGraph, DrawsCountTheSamplesOfANode) {
  const graph::Graph graph = random_graph(30, 40, 6);
  for (const BoundedGraph& bounded : {bound_out_degree(graph, 3, Seed::from_number(1)),
                                      declared_degrees(graph, 30).within_parts(std::vector<int32_t>(30, 0))}) {
    const int64_t k = bounded.max_out_degree();
    const SampleDraw draw = bounded.draw(0.25, 3);
    EXPECT_EQ(draw.rate, 0.25);
    EXPECT_EQ(draw.deletions, 1 + k + k * k + k * k * k);
    EXPECT_EQ(draw.insertions, draw.deletions - 1);
  }
  EXPECT_EQ(rooted_draw(1, 7, 0).insertions, 0);
  EXPECT_THROW(rooted_draw(1, 1000, 20), Error) << "more samples than can be counted";
  EXPECT_THROW(rooted_draw(1, 0, 1), Error);
}

TEST(BoundedGraph, WithinPartsTakesEdgesAwayAndKeepsTheBound) {
  const graph::Graph graph = random_graph(30, 200, 7);
  std::vector<int32_t> part(30);
  for (int32_t v = 0; v < 30; ++v) part[static_cast<size_t>(v)] = v % 3;
  for (const BoundedGraph& whole : {bound_out_degree(graph, 4, Seed::from_number(1)), for_protected_degree(graph, 4)}) {
    const BoundedGraph within = whole.within_parts(part);
    EXPECT_EQ(within.relation(), whole.relation());
    EXPECT_EQ(within.max_out_degree(), 4);
    EXPECT_LT(within.graph().edges(), whole.graph().edges());
    for (int64_t u = 0; u < 30; ++u) {
      for (const int32_t v : whole.graph().out(u)) EXPECT_EQ(within.graph().has_edge(u, v), u % 3 == v % 3);
    }
  }
  EXPECT_THROW(for_protected_degree(graph, 4).within_parts(part).draw(1, 2), Error) << "still one hop";
}

// Under node, with every edge at the blank node gone: no more samples change than a draw says.
TEST(BoundedGraph, UnderNodeNoMoreSamplesChangeThanStated) {
  const graph::Graph graph = random_graph(25, 120, 8);
  for (int64_t w = 0; w < 25; ++w) {
    const BoundedGraph bounded = for_protected_degree(graph, std::max<int64_t>(1, graph.out_degree(w)));
    const graph::Graph rest = blanked(graph, w, Relation::Node);
    int64_t changed = 1;  // its own
    for (int64_t v = 0; v < 25; ++v) changed += v != w && !std::ranges::equal(graph.in(v), rest.in(v));
    EXPECT_LE(changed, bounded.draw(1, 1).deletions);
  }
}

}  // namespace
}  // namespace graphveil::bound::out_degree_test
