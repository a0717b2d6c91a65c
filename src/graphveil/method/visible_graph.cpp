#include "graphveil/method/visible_graph.h"

#include "graphveil/graph/subgraph.h"

namespace graphveil::method {

void declare_setting(Options& options, GraphSetting& setting) {
  options.choice("setting", setting,
                 {{"transductive", GraphSetting::Transductive}, {"inductive", GraphSetting::Inductive}},
                 "inductive: edges between training, validation and test nodes are removed");
}

std::vector<int32_t> parts_of(const graph::Split& split, int64_t nodes) {
  std::vector<int32_t> part(static_cast<size_t>(nodes), 0);
  for (const int32_t v : split.train) part[v] = 1;
  for (const int32_t v : split.val) part[v] = 2;
  for (const int32_t v : split.test) part[v] = 3;
  return part;
}

graph::Graph visible_graph(const graph::Graph& graph, const graph::Split& split, GraphSetting setting) {
  if (setting == GraphSetting::Transductive) return graph;
  return graph::edges_within_parts(graph, parts_of(split, graph.nodes()));
}

}  // namespace graphveil::method
