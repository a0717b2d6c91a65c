// What a ledger costs as this program draws its noise: the accountant's price and what samplers are off by.
//
// Guarantee. In one event at most 2^40 numbers are drawn (2^24 where steps are finer than 2^-13 of the noise), and
// every outcome of one, or of a pair, has its ideal probability to a factor within 2^-122 (s + 2 r + 2) for noise of s
// steps and size r s (kernels/grid_noise.h), 2^-80 for discrete Gaussian noise (kernels/discrete_noise.h). So whatever
// an event gives out has its probability to a factor within 1 +- 2^-49, s being at most 2^45, and a whole ledger to one
// within 1 +- k, k = 2^-49 for each event. With P <= e^e Q + d for ideal noise and P', Q' for what is drawn,
//   P' <= (1 + k) P <= (1 + k) / (1 - k) e^e Q' + (1 + k) d <= e^(e + 3 k) Q' + (1 + k) d,
// so the price at d (1 - 3 k) and 3 k more in epsilon hold as drawn. The same goes through a Poisson sample of records
// (a mixture keeps the factor). In a search the best of K trials is y with density Q(y) times a mean of f', f(x) =
// E[x^K], over chances of Q (docs/guarantees.md); with chances off by a factor 1 +- k ln f' moves by at most (1 +
// shape) / stop k for a negative binomial K, and rate k for a Poisson one. Pure noise owes nothing: discrete Laplace
// noise is drawn with a hair more scale (mechanism/release_parts.h), randomized response with a hair more flips, picks
// pay in their own noise. Laplace noise owes nothing at delta = 0 for the same reason, and the above at others.
#pragma once

#include "graphveil/account/accountant.h"
#include "graphveil/account/ledger.h"

namespace graphveil::account {

// 3 k above, 0 where every line is drawn exactly enough: what samplers cost in epsilon when delta > 0.
double sampler_epsilon(const Ledger& ledger);

// spent_epsilon of the ledger as drawn, an upper bound. delta in [0, 1].
double drawn_epsilon(const Ledger& ledger, double delta, Accountant accountant = Accountant::Pld);

}  // namespace graphveil::account
