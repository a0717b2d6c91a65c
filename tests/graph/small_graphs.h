// Graphs small enough to check with a pencil.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

using EdgeSet = std::set<std::pair<int32_t, int32_t>>;

inline Graph graph_of(int64_t nodes, const std::vector<std::pair<int32_t, int32_t>>& edges,
                      EdgeCleanup* cleanup = nullptr) {
  std::vector<int32_t> sources, targets;
  for (const auto& [u, v] : edges) {
    sources.push_back(u);
    targets.push_back(v);
  }
  return Graph::from_edges(nodes, sources, targets, cleanup);
}

inline EdgeSet edges_of(const Graph& graph) {
  EdgeSet edges;
  for (int32_t u = 0; u < graph.nodes(); ++u) {
    for (int32_t v : graph.out(u)) edges.emplace(u, v);
  }
  return edges;
}

// Six nodes: a path 0 - 1 - 2, an edge 3 - 4, and 5 alone. Labels 0 0 1 1 2 none; feature r of node v is 10 v + r.
inline Dataset path_dataset() {
  Dataset dataset;
  dataset.name = "path";
  dataset.graph = graph_of(6, {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3}});
  std::vector<Real> values;
  for (int v = 0; v < 6; ++v) {
    for (int r = 0; r < 2; ++r) values.push_back(static_cast<Real>(10 * v + r));
  }
  dataset.features = Features(6, 2, values);
  dataset.labels = std::vector<int32_t>{0, 0, 1, 1, 2, kUnlabeled};
  dataset.classes = 3;
  dataset.split = Split{{0, 3}, {1}, {2, 4}};
  dataset.cleanup.stored = 6;
  return dataset;
}

// Row v has the entries (v, v + 0.5) and (6, 1).
inline SparseMatrix small_sparse(int64_t rows) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int32_t v = 0; v < rows; ++v) {
    indices.insert(indices.end(), {v, 6});
    values.insert(values.end(), {static_cast<Real>(v) + Real{0.5}, Real{1}});
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return {rows, 7, offsets, indices, values};
}

inline std::vector<int32_t> list(std::span<const int32_t> span) { return {span.begin(), span.end()}; }

}  // namespace graphveil::graph
