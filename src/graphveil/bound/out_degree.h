// Bounding the out-degree: every node keeps at most D of its own outgoing edges.
#pragma once

#include <cstdint>

#include "graphveil/base/random.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

// A uniform choice of at most max_out_degree (>= 1) outgoing edges of each node, by a stream named (seed, node).
//
// Guarantee: the list kept for u reads nothing but u's own list and u's own stream, so blanking one record changes
// that record's list and no other. (Capping in-degrees, or one stream for all nodes, is not stable: removing one
// node reroutes the edges of others.) The result is in general not symmetric.
graph::Graph bound_out_degree(const graph::Graph& graph, int64_t max_out_degree, const Seed& seed);

// The largest out-degree; 0 for a graph without edges.
int64_t max_out_degree(const graph::Graph& graph);

}  // namespace graphveil::bound
