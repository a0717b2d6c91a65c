#include "graphveil/graph/isolated.h"

#include "graphveil/base/error.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::graph {

Dataset drop_isolated_nodes(const Dataset& dataset) {
  std::vector<int32_t> linked;
  for (int64_t v = 0; v < dataset.nodes(); ++v) {
    if (dataset.graph.out_degree(v) + dataset.graph.in_degree(v) > 0) linked.push_back(static_cast<int32_t>(v));
  }
  if (linked.empty()) fail(ErrorKind::BadInput, "{}: every node is isolated", dataset.name);
  Dataset kept = induced_subgraph(dataset, linked);
  kept.found_in_data.emplace_back("which nodes have an edge");
  return kept;
}

}  // namespace graphveil::graph
