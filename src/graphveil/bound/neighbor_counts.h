// Neighbors counted by public group, with what one edge can do to the counts.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

inline constexpr int32_t kNoGroup = -1;

// out(v, g) = the number of edges u -> v with group[u] = g, for 0 <= g < groups. A node of group kNoGroup is not
// counted. Of a rank's part of a graph the groups are those of its own nodes; neighbors' come from the ranks that have
// them.
//
// Guarantee (sensitivity, exact: whole numbers), in L1 or, for Gaussian noise, in L2:
//   edge             1, 1        u -> v is counted in one cell, (v, group[u]), or in none
//   undirected-edge  2, sqrt(2)  one cell in each of two rows, (v, group[u]) and (u, group[v]); wants a symmetric graph
// The groups must not depend on the edges except through noise already released. Labels and features are public under
// these relations, so they may name the groups; under node and record they may not, and the function throws
// InvalidArgument, as it does for a group out of range.
Bounded<CountMatrix> neighbor_counts(const graph::Graph& graph, std::span<const int32_t> group, int64_t groups,
                                     Relation relation, Norm norm = Norm::L1);

// The sensitivity of neighbor_counts, for plans that have not seen the graph.
double neighbor_counts_sensitivity(Relation relation, Norm norm = Norm::L1);
// The same for a plan's line.
Bound neighbor_counts_bound(Relation relation, Norm norm = Norm::L1);

}  // namespace graphveil::bound
