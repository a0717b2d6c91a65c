// Releasing only the label of a noisy maximum.
#pragma once

#include <cstdint>

namespace graphveil::account {

enum class ArgmaxNoise { Laplace, Gaussian, Gumbel };

// The grid on which posteriors and noise lie.
inline constexpr double kArgmaxStep = 0x1p-24;

// M'(p) = argmax_k (p_k + round(n_k)) for p over `classes` labels, no entry negative, of sum at most 1, in whole steps
// of kArgmaxStep, and independent noise n_k, Laplace or Gumbel of scale `scale`, or normal of standard deviation
// `scale`, rounded to whole steps. Ties go to the first. Only the label is released.
//
// Guarantee: for every two p, p' the pair (M'(p), M'(p')) is dominated by C-ary randomized response with the log-odds
// returned; so RandomizedResponse{log_odds, classes} prices it.
//
// Continuous noise first: with M(p) = argmax_k (p_k + n_k) the pair (M(p), M(p')) is dominated by (M(e_i), M(e_j)),
// that is by randomized response with log-odds ln(a / b), a = P(M(e_i) = i), b = (1 - a) / (C - 1). Proof (the
// densities are log-concave): for a set S of labels, P(S | p) rises in p_k for k in S and falls in the others, so its
// largest value has p supported on S, its smallest p off S; there the complementary probability is an integral of
// products of log-concave functions, hence log-concave in p (Prekopa), hence smallest at a vertex. At vertices P(S | p)
// - e^e P(S | p') = a + (m - 1) b - e^e m b for m labels, largest at m = 1 for e >= 0; e < 0 by symmetry. Holds for
// posteriors only: on logits the sensitivity is unbounded.
//
// Steps and ties: let g be the step and S a set of m labels. Where M' picks from S for p, no other score is above the
// best of S by more than g before its rounding (each is rounded by g / 2 at most), so M picks from S for p + g on S.
// That vector, with what it has off S left out, is supported on S and has sum at most 1 + m g, so by the argument above
// P(M'(p) in S) <= P(M((1 + m g) e_i) in S) for an i in S. The same for the C - m other labels bounds it from below. So
// M' is dominated by M on the simplex of size 1 + (C - 1) g, that is with noise of scale / (1 + (C - 1) g).
//
// Sampling: a number is drawn right to a factor within 2^-75 (kernels/grid_noise.h), so every event of C of them, and
// its complement, has its probability to a factor within 1 +- c, c = 2^-74 C. With z for e to the
// log-odds so far and 1 <= w <= z, events of probability A and B under p and p' have A - w B <= (z - w) / (z + C - 1),
// and of what is drawn A + c (1 - A) - w (1 - c) B <= (1 - c) (z - w) / (z + C - 1) + c. This is at most (z' - w) / (z'
// + C - 1), what randomized response with e^l = z' has, when z' (1 - c) >= z + c (C - 1). At w = z' the loss is at most
// 0 when z' (1 - c) >= z (1 + c), and between z and z' it is convex in w. So 2 C c more log-odds pay for it, and 2^-73
// C^2 are added.
//
// Rounded up: for Gumbel noise M has exactly 1 / scale, else by integration on two grids, whose difference is added
// many times over. scale in [0.01, 1e6], 2 <= classes <= 1e6; throws InvalidArgument otherwise, NotConverged when the
// grids disagree.
double noisy_argmax_log_odds(ArgmaxNoise noise, double scale, int64_t classes);

inline constexpr double kSmallestArgmaxScale = 0.01, kLargestArgmaxScale = 1e6;

// The smallest scale, to six digits, at which that is at most `log_odds`. Throws InvalidArgument when there is none.
double noisy_argmax_scale(ArgmaxNoise noise, double log_odds, int64_t classes);

}  // namespace graphveil::account
