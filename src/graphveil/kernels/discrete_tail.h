// Whole-number noise beyond the last threshold of its table, to any size: coins of exact chances, one after the other.
#pragma once

#include <cstdint>

#include "graphveil/base/fixed_point.h"
#include "graphveil/base/random.h"

namespace graphveil::kernels {

// True with probability e^-x. As many coins of 1/e as x has whole units, and one for the rest, each of 192 bits
// (Canonne, Kamath and Steinke 2020, Algorithm 1): the chance is right to a factor within (x + 1) 2^-185, however
// small.
bool exp_minus_coin(Fixed x, RandomStream& random);

// |X| - last given |X| >= last >= 1, for P(X = k) proportional to exp(-|k| / scale): geometric, whatever `last` is.
// About `scale` coins.
int64_t laplace_tail(const Fixed& one_over_scale, RandomStream& random);

// The same for exp(-k^2 / (2 variance)). With j = |X| - last the weights are exp(-last j / variance) exp(-j^2 / (2
// variance)): a geometric j, kept with the second chance, else drawn anew.
int64_t gaussian_tail(const Fixed& one_over_variance, int64_t last, RandomStream& random);

}  // namespace graphveil::kernels
