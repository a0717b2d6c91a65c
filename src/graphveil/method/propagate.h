// Personalized-PageRank propagation of scores at prediction time (Gasteiger, Bojchevski and Guennemann 2019).
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/graph/graph.h"

namespace graphveil::method {

// H = log of the probabilities; Q = H, then `steps` times Q <- (1 - alpha) S Q + alpha H with S = (D + I)^-1 (A + I), a
// node's mean over itself and the nodes it aggregates from. Returns the rows' softmax of Q.
//
// Reads edges and other nodes' records in the clear: what comes out is not covered by any guarantee.
Matrix propagate(const graph::Graph& graph, const Matrix& probabilities, int64_t steps, double alpha);

}  // namespace graphveil::method
