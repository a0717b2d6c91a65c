#include "graphveil/graph/graph.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/partition.h"

namespace graphveil::graph {

Graph::Graph(Adjacency out, Adjacency in, bool symmetric)
    : out_(std::move(out)), in_(std::move(in)), symmetric_(symmetric) {}

Graph Graph::from_clean(Adjacency out) {
  if (is_symmetric(out)) return {out, out, true};
  Adjacency in = transposed(out);
  return {std::move(out), std::move(in), false};
}

Graph Graph::from_edges(int64_t nodes, std::span<const int32_t> sources, std::span<const int32_t> targets,
                        EdgeCleanup* cleanup) {
  return from_clean(adjacency_from_edges(nodes, sources, targets, false, cleanup));
}

Graph Graph::from_undirected_edges(int64_t nodes, std::span<const int32_t> first, std::span<const int32_t> second,
                                   EdgeCleanup* cleanup) {
  Adjacency both = adjacency_from_edges(nodes, first, second, true, cleanup);
  return {both, both, true};
}

Graph Graph::from_out_lists(const Adjacency& out, EdgeCleanup* cleanup) { return from_clean(cleaned(out, cleanup)); }

Graph Graph::from_both(Adjacency out, Adjacency in) {
  for (const Adjacency* lists : {&out, &in}) {
    require(valid_offsets(*lists), "offsets must start at 0, never fall and end at {}", lists->edges());
    const auto bad = first_unclean_row(*lists);
    require(!bad, "neighbors of node {} must rise strictly, lie in 0 to {} and leave out the node", bad.value_or(0),
            lists->nodes() - 1);
  }
  require(is_transpose(out, in), "the lists of targets and of sources describe different graphs");
  return {std::move(out), std::move(in), false};
}

Graph Graph::own_part(Adjacency out, Adjacency in, bool symmetric, std::shared_ptr<const Partition> partition) {
  require(out.nodes() == partition->own() && in.nodes() == partition->own(), "{} and {} lists for {} rows", out.nodes(),
          in.nodes(), partition->own());
  Graph graph(std::move(out), std::move(in), symmetric);
  graph.partition_ = std::move(partition);
  return graph;
}

int64_t Graph::reach() const { return partition_ ? partition_->reach() : nodes(); }
int64_t Graph::first_in_reach() const { return partition_ ? partition_->before : 0; }

bool Graph::has_edge(int64_t u, int64_t v) const {
  const auto targets = out(u);
  return std::binary_search(targets.begin(), targets.end(), static_cast<int32_t>(v));
}

Graph symmetrized(const Graph& graph) {
  if (graph.symmetric()) return graph;
  const Adjacency both = with_reverses(graph.out_lists());
  return {both, both, true};
}

}  // namespace graphveil::graph
