// What a search for the best of a random number of trials costs.
#pragma once

#include <functional>

#include "graphveil/account/event.h"
#include "graphveil/account/rdp.h"

namespace graphveil::account {

double mean_trials(const Trials& trials);

// The trials of a search that makes `mean` of them on average, 2 or more: Poisson for a few, where it costs least and
// seldom stops early, else logarithmic. Chances are multiples of 2^-40, so that they can be drawn as they are stated;
// the true mean is at most `mean`, and within 1e-6 of it.
Trials trials_of_mean(int64_t mean);

// One trial as its divergences tell it, its score included.
struct Trial {
  RenyiCurve curve;
  double pure = 0;                              // its largest loss, or +infinity
  std::function<double(double epsilon)> delta;  // such that it is (epsilon, delta)-DP
};

// Guarantee: the divergence of the best of `trials` trials from that on a neighbor (Papernot and Steinke 2022).
// With f(x) = E[x^K], the best one is y with probability f(Q(<= y)) - f(Q(< y)), and for events S with chances q and q'
//   D_a(A, A') <= D_a(Q, Q') + 1/(a-1) ln sup_S f'(q)^a f'(q')^(1-a).
//   negative binomial (Theorem 2), for any order b: + (1 + shape) ((1 - 1/b) D_b(Q', Q) + ln(1/stop) / b)
//                                                   + ln E[K] / (a-1)
//   Poisson (Theorem 6), for e^c <= a/(a-1) and Q (c, d)-DP: + rate d + ln E[K] / (a-1). Without its 0 the
//   distribution has f' of the same shape, and ln E[K] in place of ln rate.
// docs/guarantees.md has the proofs.
RenyiCurve tuned_curve(const Trials& trials, const Trial& trial);

// The same for order infinity: of a trial whose losses are at most `pure`, with this total variation distance.
double tuned_pure(const Trials& trials, double pure, double variation);

}  // namespace graphveil::account
