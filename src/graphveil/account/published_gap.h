// GAP (Sajadmanesh, Shamsabadi, Bellet, Gatica-Perez 2023), as published.
#pragma once

#include <cstdint>

#include "graphveil/account/ledger.h"
#include "graphveil/account/published_dpgnn.h"

namespace graphveil::account {

// Proposition 2, edge level: K noisy aggregations with noise deviation sigma cost
//   epsilon = K / (2 sigma^2) + sqrt(2 K ln(1/delta)) / sigma.
// Does not hold for undirected edges (sensitivity sqrt 2), and is looser than the exact value for directed ones.
double published_gap_edge_epsilon(int64_t hops, double noise_stddev, double delta);

// The sigma at which Proposition 2 gives this epsilon.
double published_gap_edge_noise(int64_t hops, double epsilon, double delta);

// Proposition 3, node level, out-degrees at most D:
//   epsilon = min over a of e1(a) + e5(a) + D K a / (2 sigma^2) + ln(1/delta) / (a - 1)
// with e1, e5 the Renyi curves of encoder and classifier training. (The text available prints D K as D^K.)
// Does not hold with epochs chosen on private validation data, nor with neighbor samples drawn from a shared stream.
double published_gap_node_epsilon(const Ledger& encoder, const Ledger& classifier, int64_t max_degree, int64_t hops,
                                  double noise_stddev, double delta);

// The baseline SAGE-NDP: the training of one layer as Theorem 1 of Daigavane et al. 2021 prices it, and one noisy
// aggregation for predictions:
//   epsilon = min over a of T g(a) + a / (2 s2^2) + ln(1/delta) / (a - 1)
// with g the divergence of one step. noise_multiplier = sigma / C of a step, aggregation_multiplier = s2 = sigma /
// sqrt(D) of the aggregation; the paper has them at 2 (D + 1) to 1.
// Does not hold with lists cut in one random order, batches dealt out, or rows of a batch clipped in place of samples.
double published_sage_node_epsilon(const DpGnnSetting& training, double noise_multiplier, double aggregation_multiplier,
                                   double delta);

}  // namespace graphveil::account
