// The part of a graph or dataset on some of its nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Node i of the result is nodes[i], with the edges that join chosen nodes. `nodes` must rise strictly and lie in
// the graph, else InvalidArgument.
Graph induced_subgraph(const Graph& graph, std::span<const int32_t> nodes);

// The subgraph with its features, labels and split. The number of classes stays, even where one became empty.
Dataset induced_subgraph(const Dataset& dataset, std::span<const int32_t> nodes);

// The nodes from which a message reaches one of these along at most `hops` edges, themselves among them; rising.
std::vector<int32_t> heard_by(const Graph& graph, std::span<const int32_t> nodes, int64_t hops);

// The edges whose two ends are in the same part; part[v] is the part of node v. Every node stays.
Graph edges_within_parts(const Graph& graph, std::span<const int32_t> part);

}  // namespace graphveil::graph
