// Node-level DP-GNN as its paper runs it (Daigavane et al. 2021, Algorithms 1 and 4 and Section 6), for --accounting
// published. Nothing in this file carries a guarantee; dpgnn_published_reasons says why.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/graph/graph.h"
#include "graphveil/learn/fit_private.h"

namespace graphveil::method {

using namespace learn;

// Algorithm 1, in our direction of edges: of u's edges to training nodes each is kept by itself with probability
// K / (2 their number), and a node that has more than K left loses them all.
graph::Graph dpgnn_published_graph(const graph::Graph& graph, std::span<const int32_t> train, int64_t max_degree,
                                   const Seed& seed);

// The quantile `share` of the norms of the training nodes' gradients, for each group of parameters. It is read off
// private records, unaccounted.
std::vector<double> gradient_norm_quantiles(Network& network, std::span<const int32_t> train,
                                            std::span<const int32_t> labels, double share, const Seed& seed);

// Algorithm 4 with batches of exactly the batch size, and each group of parameters clipped by itself to C_l, the 75th
// percentile of its gradients' norms before the first step. Spends dpgnn_published_line, and refuses a release that has
// a finite budget: that would be a promise.
mechanism::Public<nn::State> fit_as_published(Network& network, const PrivateFitData& data,
                                              const PrivateFitOptions& options, const std::string& label,
                                              const Seed& seed, mechanism::Release& release);

// The nearest mechanism with a proof: Poisson batches of the same rate, and `groups` clipped parts counted as what they
// are, one Gaussian sqrt(groups) times as sensitive.
mechanism::PlanLine dpgnn_published_line(const std::string& label, const PrivateFitOptions& options,
                                         double noise_multiplier, int64_t train_nodes, const bound::SampleDraw& reach,
                                         int64_t groups);

std::vector<std::string> dpgnn_published_reasons(int64_t groups);

}  // namespace graphveil::method
