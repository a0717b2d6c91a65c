// Personalized-PageRank propagation of scores at prediction time (Gasteiger, Bojchevski and Guennemann 2019).
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/graph/graph.h"

namespace graphveil::learn {

// What is propagated.
enum class Propagated { Logits, Probabilities };

// H = the probabilities or their logarithms; Q = H, then `steps` times Q <- (1 - alpha) S Q + alpha H with S = (D +
// I)^-1 (A + I), a node's mean over itself and the nodes it aggregates from. Returns Q, of logits the rows' softmax.
//
// Reads edges and other nodes' records in the clear: what comes out is not covered by any guarantee.
Matrix propagate(const graph::Graph& graph, const Matrix& probabilities, int64_t steps, double alpha,
                 Propagated what = Propagated::Logits);

}  // namespace graphveil::learn
