// Releasing only the label of a noisy maximum.
#pragma once

#include <cstdint>

namespace graphveil::account {

enum class ArgmaxNoise { Laplace, Gaussian, Gumbel };

// M(p) = argmax_k (p_k + n_k) for p in the probability simplex over `classes` labels and independent noise n_k, Laplace
// or Gumbel of scale `scale`, or normal of standard deviation `scale`. Only the label is released.
//
// Guarantee: for every two p, p' the pair (M(p), M(p')) is dominated by (M(e_i), M(e_j)), that is by C-ary randomized
// response with log-odds ln(a / b), a = P(M(e_i) = i), b = (1 - a) / (C - 1); so RandomizedResponse{log_odds, classes}
// prices it. Proof (the densities are log-concave): for a set S of labels, P(S | p) rises in p_k for k in S and falls
// in the others, so its largest value has p supported on S, its smallest p off S; there the complementary probability
// is an integral of products of log-concave functions, hence log-concave in p (Prekopa), hence smallest at a vertex. At
// vertices P(S | p) - e^e P(S | p') = a + (m - 1) b - e^e m b for m labels, largest at m = 1 for e >= 0; e < 0 by
// symmetry. Holds for posteriors only: on logits the sensitivity is unbounded.
//
// Rounded up: for Gumbel noise exactly 1 / scale, else by integration on two grids, whose difference is added many
// times over. scale in [0.01, 1e6], 2 <= classes <= 1e6; throws InvalidArgument otherwise, NotConverged when the grids
// disagree.
double noisy_argmax_log_odds(ArgmaxNoise noise, double scale, int64_t classes);

inline constexpr double kSmallestArgmaxScale = 0.01, kLargestArgmaxScale = 1e6;

// The smallest scale, to six digits, at which that is at most `log_odds`. Throws InvalidArgument when there is none.
double noisy_argmax_scale(ArgmaxNoise noise, double log_odds, int64_t classes);

}  // namespace graphveil::account
