#include "graphveil/bound/edge_cells.h"

#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/partition.h"

namespace graphveil::bound {
namespace {

constexpr double kOneEdge = 1;  // one cell more, or less

void check(const graph::Graph& graph, Relation relation) {
  graph::require_whole(graph, "a table of pairs of nodes");
  require(edge_level(relation), "edges are cells under the edge relations, not under {}", name(relation));
  require(relation != Relation::UndirectedEdge || graph.symmetric(),
          "relation undirected-edge wants a symmetric graph; this one is directed: use edge, or make it symmetric");
}

int64_t count_cells(const graph::Graph& graph, Relation relation) {
  check(graph, relation);
  return relation == Relation::UndirectedEdge ? graph.edges() / 2 : graph.edges();  // no node lists itself
}

std::vector<int64_t> cells_of(const graph::Graph& graph, Relation relation) {
  std::vector<int64_t> cells;
  cells.reserve(static_cast<size_t>(count_cells(graph, relation)));
  for (int64_t u = 0; u < graph.nodes(); ++u) {
    for (const int32_t v : graph.out(u)) {
      if (relation == Relation::Edge || u < v) cells.push_back(u * graph.nodes() + v);
    }
  }
  return cells;
}

}  // namespace

int64_t pair_cells(int64_t nodes) {
  require(nodes >= 0 && nodes <= int64_t{1} << 31, "{} nodes are too many for a table of pairs", nodes);
  return nodes * nodes;
}

double possible_edges(int64_t nodes, Relation relation) {
  const double ordered = static_cast<double>(nodes) * static_cast<double>(nodes - 1);
  return relation == Relation::UndirectedEdge ? ordered / 2 : ordered;
}

Bounded<int64_t> edge_count(const graph::Graph& graph, Relation relation) {
  return Voucher::bounded(count_cells(graph, relation), {.amount = kOneEdge, .norm = Norm::L1, .relation = relation});
}

Bounded<std::vector<int64_t>> edge_cells(const graph::Graph& graph, Relation relation) {
  return Voucher::bounded(cells_of(graph, relation), {.amount = kOneEdge, .norm = Norm::Hamming, .relation = relation});
}

Bound edge_count_bound() { return Voucher::stated(source::EdgeCount{}, kOneEdge, Norm::L1); }

Bound edge_cells_bound() { return Voucher::stated(source::EdgeCells{}, kOneEdge, Norm::Hamming); }

graph::Graph graph_of_cells(int64_t nodes, Relation relation, const std::vector<int64_t>& cells) {
  const bool undirected = relation == Relation::UndirectedEdge;
  std::vector<int32_t> from, to;
  from.reserve(cells.size());
  to.reserve(cells.size());
  int64_t u = 0;
  for (const int64_t cell : cells) {
    // Cells rise, so that mostly the row is the one before: a division is slow.
    if (cell < u * nodes || cell >= (u + 1) * nodes) u = cell / nodes;
    const int64_t v = cell - u * nodes;
    if (undirected ? u >= v : u == v) continue;
    from.push_back(static_cast<int32_t>(u));
    to.push_back(static_cast<int32_t>(v));
  }
  return undirected ? graph::Graph::from_undirected_edges(nodes, from, to) : graph::Graph::from_edges(nodes, from, to);
}

}  // namespace graphveil::bound
