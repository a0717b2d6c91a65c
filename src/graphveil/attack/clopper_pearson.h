// How sure one can be of a probability after so many trials.
#pragma once

#include <cstdint>

namespace graphveil::attack {

// The largest p such that so many successes or more have chance at most `error` (Clopper and Pearson 1934): the true
// probability is below it with chance at most `error`. 0 <= successes <= trials, 0 < error < 1.
double probability_low(int64_t successes, int64_t trials, double error);
// The smallest p such that so many successes or fewer have chance at most `error`.
double probability_high(int64_t successes, int64_t trials, double error);

// The regularized incomplete beta function I_x(a, b); a, b > 0, x in [0, 1].
double incomplete_beta(double a, double b, double x);

}  // namespace graphveil::attack
