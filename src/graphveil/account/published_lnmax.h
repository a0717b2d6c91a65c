// PATE with Laplace noise, LNMax (Papernot et al. 2017), as PrivGNN's paper quotes it for its baselines PATE-M and
// PATE-G.
#pragma once

#include <cstdint>
#include <span>

namespace graphveil::account {

// The orders of the moments that PATE's analysis looks at: 1 to 8.
inline constexpr int kMostLnmaxMoments = 8;

// The log-moment of order l >= 1 of one argmax over vote counts, each with Laplace noise of scale 1 / inverse_scale:
// min(2 g^2 l (l + 1), 2 g l), g the inverse scale (Theorem 2; the noise is 2g-DP, since one teacher moves two counts
// by one each). Holds for any votes.
double lnmax_moment(double inverse_scale, int order);

// Lemma 4: an upper bound on P(argmax(votes + noise) != argmax(votes)),
//   sum over the other classes of (2 + g (n_max - n_i)) / (4 exp(g (n_max - n_i))),
// at most 1 - 1 / classes, which is what the winner's own chance leaves.
double lnmax_flip_probability(std::span<const double> votes, double inverse_scale);

// Theorem 3: the moment for votes with this flip probability; never above lnmax_moment. It depends on private votes and
// so protects nobody when printed: a diagnostic, never part of a certificate.
double lnmax_moment_data_dependent(double flip_probability, double inverse_scale, int order);

// The least over the orders of (moments[l - 1] + ln(1 / delta)) / l, for moments added up over the queries.
double epsilon_from_lnmax_moments(std::span<const double> moments, double delta);

// What the paper's table says of teachers who do not agree: so many queries of the first moment. It is a bound, since
// that moment is one.
double published_lnmax_epsilon(int64_t queries, double inverse_scale, double delta);
// The largest inverse scale, up to 100, at which that is at most `epsilon`. Throws InvalidArgument when there is none.
double published_lnmax_inverse_scale(int64_t queries, double epsilon, double delta);

}  // namespace graphveil::account
