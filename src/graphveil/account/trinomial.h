// Randomized response composed with itself, exactly.
#pragma once

#include <cstdint>
#include <optional>

#include "graphveil/account/event.h"

namespace graphveil::account {

// `count` runs of C-ary randomized response, each on a Poisson sample of rate `rate`: the loss of one run takes three
// values, so the sum is a function of two counts with a trinomial law, and delta(e) is a finite sum.
//
// The smallest epsilon at 0 < delta < 1 in both directions, exact but for rounding (upward) and outcomes of total
// probability 1e-9 delta, which are charged to delta. Empty when the sum would have too many terms.
std::optional<double> trinomial_epsilon(const RandomizedResponse& mechanism, double rate, int64_t count, double delta);

// delta at epsilon >= 0, likewise, for probabilities above 1e-30.
std::optional<double> trinomial_delta(const RandomizedResponse& mechanism, double rate, int64_t count, double epsilon);

}  // namespace graphveil::account
