// PATE with Gaussian noise, GNMax (Papernot et al. 2018): what DP-GPL and the PATE baselines quote.
#pragma once

#include <cstdint>
#include <span>

namespace graphveil::account {

// Renyi divergence of one argmax over vote counts with noise deviation sigma. One teacher changes two counts by one, an
// L2 move of sqrt 2: order / sigma^2 (Proposition 8). This one holds, for any votes. DP-GPL charges half of it, taking
// the sensitivity for 1.
double rdp_gnmax(double noise_stddev, double order);

// The threshold check of Confident-GNMax, max count + noise >= T: the maximum moves by at most 1.
double rdp_gnmax_check(double noise_stddev, double order);

// Proposition 7: an upper bound on P(argmax(votes + noise) != argmax(votes)) as its logarithm:
//   sum over the other classes of erfc((n_max - n_i) / (2 sigma)) / 2.
double gnmax_log_flip_probability(std::span<const double> votes, double noise_stddev);

// Theorem 6 with Proposition 10: the divergence for these votes, given ln q of the flip probability. Never above
// rdp_gnmax. It depends on private votes and so protects nobody when printed: a diagnostic, never part of a
// certificate.
double rdp_gnmax_data_dependent(double log_flip_probability, double noise_stddev, double order);

// DP-GPL's data-independent epsilon for a number of answered queries, with its claimed sensitivity (1; a teacher's
// weight in DP-GPL+W): Renyi divergence queries * sensitivity^2 a / (2 sigma^2), classic conversion.
double published_dpgpl_epsilon(int64_t queries, double noise_stddev, double sensitivity, double delta);

}  // namespace graphveil::account
