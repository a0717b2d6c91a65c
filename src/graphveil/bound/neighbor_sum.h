// Sums over neighbors, with what one edge or one node can do to them.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

// What keeps one node's messages small under the record relation.
enum class DegreeWeights {
  Drop,        // none: the out-degrees of the graph are at most max_out_degree (see bound_out_degree)
  SqrtDegree,  // messages times 1 / sqrt(outdeg): no edge lost, no bound needed
  SoftCap,     // messages times min(1, sqrt(max_out_degree / outdeg))
};

struct NeighborSumOptions {
  Relation relation = Relation::Node;
  double max_row_norm = 1;                            // longer rows are scaled down to it
  int64_t protect_degree = 100;                       // node: the sensitivity is stated for so many outgoing edges
  DegreeWeights weights = DegreeWeights::SqrtDegree;  // record
  int64_t max_out_degree = 0;                         // record, Drop and SoftCap
};

// out_v = sum of w_u * row_u over the edges u -> v, each row first scaled to norm at most R = max_row_norm and rounded
// toward zero to whole multiples of `step`, a power of two. Rounding never lengthens a row, and whole numbers add up
// without error, in any order.
//
// Guarantee (L2 sensitivity, exact: the lengths of the rounded messages are compared as whole numbers):
//   edge                R          one term of one output row appears or goes
//   undirected-edge     sqrt(2) R  one term in each of two output rows; wants a symmetric graph
//   node                sqrt(k) R  for a node with at most k = protect_degree outgoing edges, over all rows but its
//   own.
//                                  w_u = 1 whatever the degrees, so blanking a node takes its own at most k terms away
//                                  and changes nobody else's; the edges into it change its own row alone, which only it
//                                  and the holder may see. A node of degree d: sqrt(d) R. Nothing is assumed of the
//                                  graph.
//   record, Drop        sqrt(D) R  one record's row goes to at most D outputs
//   record, SqrtDegree  R          outdeg * (R / sqrt(outdeg))^2 = R^2
//   record, SoftCap     sqrt(D) R  outdeg * min(1, D / outdeg) R^2 <= D R^2
// Under the edge relations the rows must not depend on the edges except through noise already released; under node and
// record row u must depend on record u alone, or on what was already released (node: row u of it included).
// Of a rank's part of a graph these are its own rows, of the sums over all ranks' messages: the same whole numbers, and
// the same bound, which speaks of the rows of all ranks together.
// Throws InvalidArgument when an out-degree passes a Drop bound or the relation does not fit the graph.
Bounded<GridMatrix> neighbor_sum(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options,
                                 double step);

// w_u for a node with this many outgoing edges.
double degree_weight(const NeighborSumOptions& options, int64_t out_degree);

// The sensitivity stated above, for plans that have not seen the graph.
double neighbor_sum_sensitivity(const NeighborSumOptions& options);
// The same for a plan's line: sqrt(messages) rows of norm at most R.
Bound neighbor_sum_bound(const NeighborSumOptions& options);

}  // namespace graphveil::bound
