#include "graphveil/graph/pagerank.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"

namespace graphveil::graph::pagerank_test {
namespace {

const Graph& tiny_graph() {
  static const Graph graph = generate(preset("tiny"), Seed::from_number(1)).graph;
  return graph;
}

// The definition: p = sum over k of alpha (1 - alpha)^k W^k e_s, W = (I + A D^-1) / 2.
std::vector<double> dense_pagerank(const Graph& graph, int32_t source, double alpha) {
  const auto n = static_cast<size_t>(graph.nodes());
  std::vector<double> now(n, 0), sum(n, 0);
  now[static_cast<size_t>(source)] = 1;
  for (double weight = alpha; weight > 1e-16; weight *= 1 - alpha) {
    std::vector<double> next(n, 0);
    for (int64_t u = 0; u < graph.nodes(); ++u) {
      sum[static_cast<size_t>(u)] += weight * now[static_cast<size_t>(u)];
      next[static_cast<size_t>(u)] += now[static_cast<size_t>(u)] / 2;
      for (const int32_t v : graph.out(u)) {
        next[static_cast<size_t>(v)] += now[static_cast<size_t>(u)] / 2 / static_cast<double>(graph.out_degree(u));
      }
    }
    now = next;
  }
  return sum;
}

int32_t some_source(const Graph& graph, int32_t from = 0) {
  while (graph.out_degree(from) == 0) ++from;
  return from;
}

TEST(PageRank, WithoutSparsityIsPersonalizedPageRank) {
  PageRank pagerank(tiny_graph(), {.teleport = 0.25, .sparsity = 0, .tolerance = 1e-4});
  for (const int32_t from : {0, 17, 60}) {
    const int32_t source = some_source(tiny_graph(), from);
    const std::vector<double> wanted = dense_pagerank(tiny_graph(), source, 0.25);
    std::vector<double> found(wanted.size(), 0);
    for (const RankedNode& entry : pagerank.row(source)) found[static_cast<size_t>(entry.node)] = entry.rank;
    for (size_t v = 0; v < wanted.size(); ++v) EXPECT_NEAR(found[v], wanted[v], 1e-9);
  }
}

// Optimality of the regularized problem: x = D^-1 p is a fixed point of the shrunk walk, and no node outside wants in.
TEST(PageRank, SolvesTheRegularizedProblem) {
  const PageRankOptions options{.teleport = 0.25, .sparsity = 2e-3, .tolerance = 1e-6};
  const Graph& graph = tiny_graph();
  PageRank pagerank(graph, options);
  const int32_t source = some_source(graph);
  std::map<int32_t, double> x;
  for (const RankedNode& entry : pagerank.row(source)) {
    x[entry.node] = entry.rank / static_cast<double>(graph.out_degree(entry.node));
  }
  EXPECT_LT(static_cast<int64_t>(x.size()), graph.nodes());
  for (int32_t v = 0; v < graph.nodes(); ++v) {
    const auto degree = static_cast<double>(graph.out_degree(v));
    if (degree == 0) continue;
    double sum = 0;
    for (const int32_t u : graph.out(v)) sum += x.contains(u) ? x[u] : 0;
    const double own = x.contains(v) ? x[v] : 0;
    const double walked = 0.75 / 2 * (own + sum / degree) + (v == source ? 0.25 / degree : 0) - 2e-3 * 0.25;
    EXPECT_NEAR(own, std::max(0.0, walked), 1e-8) << v;
  }
}

TEST(PageRank, ANodesRowDoesNotDependOnRowsBefore) {
  PageRank used(tiny_graph(), {}), fresh(tiny_graph(), {});
  used.row(some_source(tiny_graph(), 3));
  const auto a = used.row(some_source(tiny_graph(), 40));
  const auto b = fresh.row(some_source(tiny_graph(), 40));
  EXPECT_TRUE(std::ranges::equal(a, b));
}

TEST(PageRank, ANodeWithoutNeighborsHasItselfAlone) {
  const Graph graph = Graph::from_undirected_edges(3, std::vector<int32_t>{0}, std::vector<int32_t>{1});
  PageRank pagerank(graph, {});
  ASSERT_EQ(pagerank.row(2).size(), 1u);
  EXPECT_EQ(pagerank.row(2)[0], (RankedNode{2, 1.0}));
}

TEST(PageRank, WantsASymmetricGraph) {
  const Graph graph = Graph::from_edges(3, std::vector<int32_t>{0}, std::vector<int32_t>{1});
  EXPECT_THROW(PageRank(graph, {}), Error);
}

}  // namespace
}  // namespace graphveil::graph::pagerank_test
