#include "graphveil/method/visible_graph.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::visible_graph_test {
namespace {

TEST(VisibleGraph, InductiveEdgesStayWithinAPart) {
  const graph::Graph& graph = tiny_data().graph;
  const graph::Graph inside = visible_graph(graph, tiny_split(), GraphSetting::Inductive);
  const std::vector<int32_t> part = parts_of(tiny_split(), graph.nodes());
  int64_t within = 0;
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) {
      EXPECT_EQ(inside.has_edge(u, v), part[u] == part[v]);
      within += part[u] == part[v];
    }
  }
  EXPECT_EQ(inside.edges(), within);
  EXPECT_EQ(visible_graph(graph, tiny_split(), GraphSetting::Transductive).edges(), graph.edges());
}

}  // namespace
}  // namespace graphveil::method::visible_graph_test
