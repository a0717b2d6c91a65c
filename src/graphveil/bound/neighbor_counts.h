// Neighbors counted by public group, with what one edge can do to the counts.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

inline constexpr int32_t kNoGroup = -1;

// out(v, g) = the number of edges u -> v with group[u] = g, for 0 <= g < groups. A node of group kNoGroup is not
// counted.
//
// Guarantee (L1 sensitivity, exact: whole numbers):
//   edge             1  u -> v is counted in one cell, (v, group[u]), or in none
//   undirected-edge  2  one cell in each of two rows, (v, group[u]) and (u, group[v]); wants a symmetric graph
// The groups must not depend on the edges except through noise already released. Labels and features are public under
// these relations, so they may name the groups; under node and record they may not, and the function throws
// InvalidArgument, as it does for a group out of range.
Bounded<IntegerMatrix<int64_t>> neighbor_counts(const graph::Graph& graph, std::span<const int32_t> group,
                                                int64_t groups, Relation relation);

// The two numbers (edges u -> v with group[u] = group[v], all others). Under undirected-edge pairs u < v are counted,
// so that both relations have L1 sensitivity 1: one edge, or one pair, is in one of the two. Conditions as above, and
// every node must have a group.
Bounded<IntegerMatrix<int64_t>> alike_counts(const graph::Graph& graph, std::span<const int32_t> group,
                                             Relation relation);

// The sensitivity of neighbor_counts, for plans that have not seen the graph.
double neighbor_counts_sensitivity(Relation relation);

}  // namespace graphveil::bound
