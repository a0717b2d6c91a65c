// How many trials a search makes.
#pragma once

#include <cstdint>

#include "graphveil/account/event.h"
#include "graphveil/base/random.h"

namespace graphveil::mechanism {

// A number of trials, at least 1, with exactly the stated chances: whole numbers and bits decide, no rounding (of a
// Poisson rate r where r / ceil(r) is a double, as account::trials_of_mean makes it). The number is as secret as noise.
// Throws Unsupported for a negative binomial distribution of a shape other than 0 (logarithmic) and 1 (geometric).
int64_t draw_trials(const account::Trials& trials, RandomStream& random);

}  // namespace graphveil::mechanism
