// PMA: private multi-hop aggregation (Sajadmanesh et al. 2023, Algorithm 1).
#pragma once

#include <string>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/graph/graph.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/nn/state.h"

namespace graphveil::method {

// X^(0) = `rows` (norm at most 1), X^(k) = rows of (sum over neighbors of X^(k-1) + noise) scaled to norm 1. Returns
// X^(1) .. X^(hops); how many is what the release's line `label` says. Under the record relation with
// DegreeWeights::Drop the graph must have been bounded. `released`, where it is given, gets what came out of the noise,
// before it is scaled: "<label>/1" and so on.
//
// Guarantee: relation `options.relation`; the line `label`, once per hop, each of the sensitivity that
// bound::neighbor_sum states. Each further hop reads the edges once more, and what was released. Under node row v of
// the result is for v and the holder; under the other relations it is public.
std::vector<Matrix> private_aggregation(const graph::Graph& graph, const Matrix& rows,
                                        const bound::NeighborSumOptions& options, const std::string& label,
                                        mechanism::Release& release, nn::State* released = nullptr);

}  // namespace graphveil::method
