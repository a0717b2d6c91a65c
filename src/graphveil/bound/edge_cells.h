// The edges as cells of the table of pairs of nodes, with what one edge can do to them.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/bound/bounded.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

// Cells of the table: u * nodes + v. Under undirected-edge the pair u < v is one cell, so that both directions go
// together; under edge every ordered pair is one.
int64_t pair_cells(int64_t nodes);
// How many of them can hold an edge.
double possible_edges(int64_t nodes, Relation relation);

// The number of cells that hold an edge. Guarantee: L1 sensitivity 1 under edge and undirected-edge, a whole number.
Bounded<int64_t> edge_count(const graph::Graph& graph, Relation relation);
Bound edge_count_bound();

// The cells that hold an edge, rising. Guarantee: one edge is one cell (Hamming sensitivity 1) under edge and
// undirected-edge; the latter wants a symmetric graph.
Bounded<std::vector<int64_t>> edge_cells(const graph::Graph& graph, Relation relation);
Bound edge_cells_bound();

// The graph that has these edges; cells that stand for no pair are dropped.
graph::Graph graph_of_cells(int64_t nodes, Relation relation, const std::vector<int64_t>& cells);

}  // namespace graphveil::bound
