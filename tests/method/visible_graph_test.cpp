#include "graphveil/method/visible_graph.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/method/registry.h"
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

// Training and predictions of a run in the inductive setting are those of a run on the graph without the edges that
// join two parts, to the bit.
TEST(VisibleGraph, MethodsReadNoEdgeBetweenPartsInTheInductiveSetting) {
  graph::Dataset within = tiny_data();
  within.graph = visible_graph(tiny_data().graph, tiny_split(), GraphSetting::Inductive);
  for (const char* name : {"gap-ndp", "sage-ndp"}) {
    for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
      const auto predicted = [&](const graph::Dataset& data, const char* setting) {
        const std::unique_ptr<Method> method = make_method(name);
        Options options;
        method->declare(options);
        for (const auto& [option, value] : method->quick({.epochs = 5, .steps = 5})) options.set(option, value);
        options.set("setting", setting);
        const Task task = tiny_task(relation);
        const graph::Dataset prepared = method->prepare(data);
        const Task asked{.data = prepared,
                         .split = task.split,
                         .relation = relation,
                         .protect_degree = task.protect_degree,
                         .seed = task.seed};
        Release release = any_release(relation, method->plan(0.5, tiny_setting(relation)));
        const Output output = method->run(asked, release);
        const Matrix& rows = values(output.predictions);
        return std::vector<Real>(rows.data(), rows.data() + rows.size());
      };
      const std::vector<Real> inductive = predicted(tiny_data(), "inductive");
      EXPECT_EQ(inductive, predicted(within, "transductive")) << name;
      EXPECT_NE(inductive, predicted(tiny_data(), "transductive")) << name;
    }
  }
}

}  // namespace
}  // namespace graphveil::method::visible_graph_test
