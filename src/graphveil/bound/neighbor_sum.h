// Sums over neighbors, with what one edge or one node can do to them.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/bounded.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

// What keeps one node's messages small under the node relation.
enum class DegreeWeights {
  Drop,        // none: the out-degrees of the graph are at most max_out_degree (see bound_out_degree)
  SqrtDegree,  // messages times 1 / sqrt(outdeg): no edge lost, no bound needed
  SoftCap,     // messages times min(1, sqrt(max_out_degree / outdeg))
};

struct NeighborSumOptions {
  Relation relation = Relation::Node;
  double max_row_norm = 1;                            // longer rows are scaled down to it
  DegreeWeights weights = DegreeWeights::SqrtDegree;  // node relation only
  int64_t max_out_degree = 0;                         // Drop and SoftCap
};

// out_v = sum of w_u * row_u over the edges u -> v, each row first scaled to norm at most R = max_row_norm.
//
// Guarantee (L2 sensitivity):
//   edge             R          one term of one output row appears or goes
//   undirected-edge  sqrt(2) R  one term in each of two output rows; wants a symmetric graph
//   node, Drop       sqrt(D) R  one record's row goes to at most D outputs
//   node, SqrtDegree R          outdeg * (R / sqrt(outdeg))^2 = R^2
//   node, SoftCap    sqrt(D) R  outdeg * min(1, D / outdeg) R^2 <= D R^2
// Under the edge relations the rows must not depend on the edges except through noise already released; under the
// node relation row u must depend on record u alone, or on what was already released.
// Throws InvalidArgument when an out-degree passes a Drop bound or the relation does not fit the graph.
Bounded<Matrix> neighbor_sum(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options);

// w_u for a node with this many outgoing edges.
double degree_weight(const NeighborSumOptions& options, int64_t out_degree);

// The sensitivity stated above, for plans that have not seen the graph.
double neighbor_sum_sensitivity(const NeighborSumOptions& options);

}  // namespace graphveil::bound
