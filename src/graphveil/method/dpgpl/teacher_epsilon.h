// What DP-GPL's paper says that a teacher has spent: computed from the private votes, so for the holder's eyes alone.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "graphveil/bound/votes.h"

namespace graphveil::method {

// ln of the probability that noise changes the answer, for each query (account/published_pate.h).
std::vector<double> log_flips(const bound::Votes& votes, std::span<const double> weights, int32_t classes,
                              double noise_stddev);

// The data-dependent epsilon of a teacher whose vote weighs so much, after these queries: GNMax's, the teacher's weight
// taken for its sensitivity. Protects nobody when printed.
double teacher_epsilon(std::span<const double> log_flips, double weight, double noise_stddev, double delta);

// How that epsilon is spread over teachers of these weights, the paper's Figure 9: its quantiles by tenths, by name.
std::map<std::string, double> spread_over_teachers(std::span<const double> log_flips, std::span<const double> weights,
                                                   double noise_stddev, double delta);

// How many of the queries, in their order, are answered before that epsilon of the heaviest teacher passes the limit.
size_t answered_within(std::span<const double> log_flips, double largest_weight, double noise_stddev, double delta,
                       double limit);

}  // namespace graphveil::method
