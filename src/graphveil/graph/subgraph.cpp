#include "graphveil/graph/subgraph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::graph {
namespace {

constexpr int32_t kAbsent = -1;
constexpr int64_t kSubgraphGrain = 4096;

// new_id[v] is the place of v in `nodes`, or kAbsent.
std::vector<int32_t> numbering(int64_t old_nodes, std::span<const int32_t> nodes) {
  std::vector<int32_t> new_id(static_cast<size_t>(old_nodes), kAbsent);
  int32_t previous = -1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    require(nodes[i] > previous && nodes[i] < old_nodes, "chosen node {} is {} after {}, want {} to {}", i, nodes[i],
            previous, previous + 1, old_nodes - 1);
    new_id[nodes[i]] = static_cast<int32_t>(i);
    previous = nodes[i];
  }
  return new_id;
}

Graph induced(const Graph& graph, std::span<const int32_t> nodes, const std::vector<int32_t>& new_id) {
  const auto count = static_cast<int64_t>(nodes.size());
  std::vector<int64_t> offsets(nodes.size() + 1, 0);
  parallel_for(count, kSubgraphGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int32_t v : graph.out(nodes[i])) offsets[i + 1] += new_id[v] != kAbsent;
    }
  });
  for (int64_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  std::vector<int32_t> neighbors(static_cast<size_t>(offsets.back()));
  parallel_for(count, kSubgraphGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t next = offsets[i];
      for (int32_t v : graph.out(nodes[i])) {
        if (new_id[v] != kAbsent) neighbors[next++] = new_id[v];  // numbering keeps the order, so rows still rise
      }
    }
  });
  return Graph::from_out_lists({std::move(offsets), std::move(neighbors)});
}

std::vector<int32_t> renumbered(const std::vector<int32_t>& part, const std::vector<int32_t>& new_id) {
  std::vector<int32_t> kept;
  for (int32_t v : part) {
    if (new_id[v] != kAbsent) kept.push_back(new_id[v]);
  }
  return kept;
}

}  // namespace

Graph induced_subgraph(const Graph& graph, std::span<const int32_t> nodes) {
  return induced(graph, nodes, numbering(graph.nodes(), nodes));
}

Dataset induced_subgraph(const Dataset& dataset, std::span<const int32_t> nodes) {
  const std::vector<int32_t> new_id = numbering(dataset.nodes(), nodes);
  Dataset part;
  part.name = dataset.name;
  part.graph = induced(dataset.graph, nodes, new_id);
  part.features = dataset.features.rows_at(nodes);
  std::vector<int32_t> labels(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) labels[i] = dataset.labels[nodes[i]];
  part.labels = std::move(labels);
  part.classes = dataset.classes;
  if (dataset.split) {
    part.split = Split{renumbered(dataset.split->train, new_id), renumbered(dataset.split->val, new_id),
                       renumbered(dataset.split->test, new_id)};
  }
  part.cleanup.stored = part.graph.edges();
  part.found_in_data = dataset.found_in_data;
  part.ids = dataset.ids.at(nodes);
  part.class_names = dataset.class_names;
  part.feature_names = dataset.feature_names;
  part.schema = dataset.schema;
  return part;
}

std::vector<int32_t> heard_by(const Graph& graph, std::span<const int32_t> nodes, int64_t hops) {
  std::vector<int32_t> found;
  std::vector<bool> seen(static_cast<size_t>(graph.nodes()));
  const auto add = [&](int32_t v) {
    if (!seen[static_cast<size_t>(v)]) found.push_back(v);
    seen[static_cast<size_t>(v)] = true;
  };
  for (const int32_t v : nodes) add(v);
  size_t first = 0;  // of those that the last hop found
  for (int64_t hop = 0; hop < hops; ++hop) {
    const size_t end = found.size();
    for (; first < end; ++first) {
      for (const int32_t u : graph.in(found[first])) add(u);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Graph edges_within_parts(const Graph& graph, std::span<const int32_t> part) {
  require(static_cast<int64_t>(part.size()) == graph.nodes(), "{} parts for {} nodes", part.size(), graph.nodes());
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> kept;
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) {
      if (part[static_cast<size_t>(u)] == part[static_cast<size_t>(v)]) kept.push_back(v);
    }
    offsets.push_back(static_cast<int64_t>(kept.size()));
  }
  return Graph::from_out_lists({std::move(offsets), std::move(kept)});
}

}  // namespace graphveil::graph
