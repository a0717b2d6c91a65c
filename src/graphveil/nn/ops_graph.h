// Message passing along edges, and attention over them. `edges` must outlive the step. In a per-sample step
// both ends of every edge must belong to one sample. Where the targets of the edges are other rows than the sources,
// `target_owners` says to which sample each target belongs; empty: sources and targets are the same rows.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/nn/edges.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// out_v = sum over edges u -> v of weight(u -> v) x_u, with the weights of `edges`, or 1 when it has none.
Var aggregate(Var x, const Edges& edges, std::span<const int32_t> target_owners = {});
// base + aggregate(x, edges), in the memory of `base`, which must be the output of an operation that nobody else reads.
// Not for per-sample steps.
Var aggregate_onto(Var base, Var x, const Edges& edges);
// The same for the targets `rows` alone, in their order; `rows` must outlive the step.
Var aggregate_rows_onto(Var base, Var x, const Edges& edges, std::span<const int32_t> rows);

// Values on edges: one row per edge, one column per head.
// out_e = a_source(e) + b_target(e).
Var edge_add(Var at_source, Var at_target, const Edges& edges);
// out(e, h) = scale <block h of key_source(e), block h of query_target(e)>.
Var edge_dot(Var key, Var query, const Edges& edges, int64_t heads, Real scale);
// Softmax over the edges that enter a node, head by head.
Var edge_softmax(Var scores, const Edges& edges);
// Block h of out_v = sum over edges u -> v of weights(e, h) (block h of x_u). The weights of `edges` are not read.
Var attend(Var x, Var weights, const Edges& edges, std::span<const int32_t> target_owners = {});

}  // namespace graphveil::nn
