// Noise in whole steps of a grid: round(N(0, stddev^2)) and the like, nearest whole number, added to whole numbers.
// Drawn without a look at the values. Entry i depends on the stream's name (seed, purpose, index) and on i alone:
// same bits for any number of threads and on every CPU level. The bits of a stream are used once: give every call
// its own (purpose, index).
//
// Guarantee. The numbers (the pairs, for Gaussian noise) are independent, and every value of a number or pair has the
// probability that the rounded continuous variable gives it to a factor within 2^-75, however improbable it is: no tail
// is cut off. (Sizes from 2^17 scales on would overflow; their chance is below 2^-100000.) Three steps:
// (1) Every number is one fixed function of uniform numbers of 192 bits on every level. Doubles give an answer with a
// proven error bound; where a rounding boundary is within that bound (a share of about 2^-47 scale of the numbers) or
// a uniform number is near its ends (one pair in 260,000), arithmetic of 256 bits takes the decision instead. The
// bounds are argued in kernels/grid_transform.cpp.
// (2) Near its end a uniform number has as many bits as elsewhere: where its first 64 (63) are all zero, it is 2^-64
// (2^-63) times another one (Beyond in kernels/grid_transform.h). So the middle of its cell is off by at most 2^-128 of
// u itself, and of 1 - u where the logarithm of -ln u is taken. Then -ln u is off by at most 2^-127, ln(-ln u) by
// 2^-127 relative to E = -ln u below 1 and by less above, the radius sqrt(2 E) by 2^-127 where it is not within the
// value at the origin, the angle by 2^-192 turns, and the 256-bit arithmetic by 2^-185 steps: in all a number, or a
// pair, lies within t = 2^-126 scale + 2^-184 steps of where endless bits would put it (scale >= 1). (3) So only what
// lies within t of the boundary of a value's interval (square, for pairs) can be counted wrongly. The densities are
// log-concave; over one step at size r scale they change by a factor e^k with k at most 1 / scale for Laplace, (r +
// 1) 1.5 / scale for Gaussian and E / scale for Gumbel noise (where t is smaller by E). The strips within t of the ends
// hold a share of at most 4 t (k + 1) of an interval of length 1, and 8 t (k + 1) of a square: at most 2^-122 (scale +
// 2 r + 2). What remains is that AES-256 in counter mode is taken for random bits. What follows for a release:
// account/drawn.h for values given out, mechanism/top_k.cpp and mechanism/noisy_argmax.cpp for picks.
//
// Speed is constant up to a scale of about 2^30; above, the numbers close to a boundary cost time (at 2^36 about 15
// ns a number, at 2^45 some microseconds).
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/kernels/stream_name.h"

namespace graphveil::kernels {

// Largest scale of the noise, in steps.
inline constexpr double kMaxGridScale = 0x1p45;

// values[i] += round(N(0, stddev^2)). stddev_in_steps in [1, 2^45], or 0 for no noise; else InvalidArgument. Sums
// wrap modulo 2^64 (2^32 for int32_t): the sum modulo a public number is a function of the sum, so wrapping is
// post-processing and costs no privacy; the caller chooses the grid so that it does not happen.
void add_gaussian(std::span<int64_t> values, double stddev_in_steps, const StreamName& stream);
// The same for entries [first, first + values.size()) of a larger fill: together its parts get what the whole would.
void add_gaussian(std::span<int64_t> values, double stddev_in_steps, const StreamName& stream, int64_t first);
void add_gaussian(std::span<int32_t> values, double stddev_in_steps, const StreamName& stream);

// Adds noise with density exp(-|x| / scale) / (2 scale). (For whole numbers there is the exact discrete Laplace
// distribution in kernels/discrete_noise.h.)
void add_laplace(std::span<int64_t> values, double scale_in_steps, const StreamName& stream);
void add_laplace(std::span<int32_t> values, double scale_in_steps, const StreamName& stream);

// out[i] = round(scale * G) with distribution function exp(-exp(-x)) of G.
void fill_gumbel_grid(std::span<int64_t> out, double scale_in_steps, const StreamName& stream);

}  // namespace graphveil::kernels
