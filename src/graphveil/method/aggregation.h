// PMA: private multi-hop aggregation (Sajadmanesh et al. 2023, Algorithm 1).
#pragma once

#include <string>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/graph/graph.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::method {

// X^(0) = `rows` (norm at most 1), X^(k) = rows of (sum over neighbors of X^(k-1) + noise) scaled to norm 1.
// Returns X^(0) .. X^(hops). Under the node relation with DegreeWeights::Drop the graph must have been bounded.
//
// Guarantee: relation `options.relation`; `hops` Gaussian ledger lines `label`, each of the sensitivity that
// bound::neighbor_sum states. X^(k) for k >= 1 is public, so each further hop reads the edges once more and nothing
// else. X^(0) is returned as it was given: under `node` it is not public.
std::vector<Matrix> private_aggregation(const graph::Graph& graph, Matrix rows, int64_t hops,
                                        const bound::NeighborSumOptions& options, double noise_multiplier,
                                        const std::string& label, mechanism::Release& release);

// The same without noise: for methods that promise nothing.
std::vector<Matrix> plain_aggregation(const graph::Graph& graph, Matrix rows, int64_t hops);

}  // namespace graphveil::method
