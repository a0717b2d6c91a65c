#include "graphveil/bound/out_degree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/graph/partition.h"
#include "graphveil/graph/subgraph.h"

namespace graphveil::bound {

SampleDraw rooted_draw(double rate, int64_t max_out_degree, int64_t hops) {
  require(max_out_degree >= 1 && hops >= 0, "samples of {} hops on a graph of out-degree {}", hops, max_out_degree);
  constexpr int64_t kMost = int64_t{1} << 40;
  int64_t samples = 1, shell = 1;
  for (int64_t r = 0; r < hops; ++r) {
    require(shell <= kMost / max_out_degree, "a node is in more than 2^40 samples of {} hops", hops);
    shell *= max_out_degree;
    samples += shell;
  }
  return {rate, samples, samples - 1};
}

SampleDraw BoundedGraph::draw(double rate, int64_t hops) const {
  if (hops > most_hops_) {
    fail(ErrorKind::Unsupported, "this bound is proved for samples of {} hops, not of {}", most_hops_, hops);
  }
  return rooted_draw(rate, max_out_degree_, hops);
}

BoundedGraph BoundedGraph::within_parts(std::span<const int32_t> part) const {
  return {graph::edges_within_parts(graph_, part), relation_, max_out_degree_, most_hops_};
}

BoundedGraph declared_degrees(const graph::Graph& graph, int64_t max_degree) {
  require(max_degree >= 1, "maximum degree is {}, want at least 1", max_degree);
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    const int64_t largest = std::max(graph.out_degree(u), graph.in_degree(u));
    require(
        largest <= max_degree,
        "a node has {} edges, and --max-degree declares at most {}: under relation node none may be dropped; declare "
        "more, or ask for --relation record",
        largest, max_degree);
  }
  return {graph, Relation::Node, max_degree, INT64_MAX};
}

BoundedGraph for_protected_degree(const graph::Graph& graph, int64_t protect_degree) {
  require(protect_degree >= 1, "protected degree is {}, want at least 1", protect_degree);
  return {graph, Relation::Node, protect_degree, 1};
}

BoundedGraph bound_out_degree(const graph::Graph& graph, int64_t max_out_degree, const Seed& seed) {
  graph::require_whole(graph, "edges that are dropped");
  require(max_out_degree >= 1, "maximum out-degree is {}, want at least 1", max_out_degree);
  const int64_t nodes = graph.nodes();
  std::vector<int64_t> offsets(static_cast<size_t>(nodes) + 1, 0);
  for (int64_t u = 0; u < nodes; ++u) offsets[u + 1] = offsets[u] + std::min(graph.out_degree(u), max_out_degree);
  if (offsets[nodes] == graph.edges()) return {graph, Relation::Record, max_out_degree, INT64_MAX};

  std::vector<int32_t> kept(static_cast<size_t>(offsets[nodes]));
  parallel_for(nodes, 4096, [&](int64_t begin, int64_t end) {
    RandomStream random(seed, "out-degree", 0);
    std::vector<int32_t> list;
    for (int64_t u = begin; u < end; ++u) {
      const auto out = graph.out(u);
      const auto wanted = static_cast<size_t>(offsets[u + 1] - offsets[u]);
      list.assign(out.begin(), out.end());
      if (wanted < list.size()) {
        random.seek(static_cast<uint64_t>(u));
        // The first `wanted` places of a uniform permutation.
        for (size_t i = 0; i < wanted; ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
        std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(wanted));
      }
      std::copy_n(list.begin(), wanted, kept.begin() + offsets[u]);
    }
  });
  return {graph::Graph::from_out_lists({std::move(offsets), std::move(kept)}), Relation::Record, max_out_degree,
          INT64_MAX};
}

int64_t max_out_degree(const graph::Graph& graph) {
  int64_t largest = 0;
  for (int64_t u = 0; u < graph.nodes(); ++u) largest = std::max(largest, graph.out_degree(u));
  return largest;
}

}  // namespace graphveil::bound
