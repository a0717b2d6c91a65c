// Poisson subsampling by whole-number thresholds, one per id, for the batches of private training.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/kernels/stream_name.h"

namespace graphveil::kernels {

// Each of 0 .. n - 1 independently with probability `rate`, rising; n in [0, 2^53], rate in [0, 1]. Id i depends on the
// stream's name and on i alone: same set for any number of threads. O(n) time whatever the rate.
//
// Guarantee: the probability is the double `rate` itself. An id is taken when a uniform number of 160 bits is below
// it: the first 32 bits are compared as whole numbers, and where they are equal (once in 2^32) the 128 others. A rate
// of at least 2^-107 has no bits beyond; below, the probability is short of it by less than 2^-160.
std::vector<int64_t> poisson_sample(int64_t n, double rate, const StreamName& stream);
// Those of them that are in [begin, end), in time that does not depend on the others.
std::vector<int64_t> poisson_sample(int64_t begin, int64_t end, double rate, const StreamName& stream);

}  // namespace graphveil::kernels
