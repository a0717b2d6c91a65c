// Noise in whole steps of a grid: round(N(0, stddev^2)) and the like, nearest whole number, added to whole numbers.
// Drawn without a look at the values. Entry i depends on the stream's name (seed, purpose, index) and on i alone:
// same bits for any number of threads and on every CPU level. The bits of a stream are used once: give every call
// its own (purpose, index).
//
// Guarantee. The numbers are independent, and each has the distribution of the rounded continuous variable up to a
// total variation distance of 2^-100, for every scale allowed. Two steps:
// (1) Every number is one fixed function of uniform numbers of 192 bits on every level. Doubles give an answer with a
// proven error bound; where a rounding boundary is within that bound (a share of about 2^-47 scale of the numbers) or
// a uniform number is near its ends (one pair in 260,000), arithmetic of 256 bits takes the decision instead. The
// bounds are argued in kernels/grid_transform.cpp.
// (2) Let u (and v, the angle) have endless bits, and take the middle of its cell of width 2^-192 in its place. With
// the other one fixed the variable is monotone in u, and in v on each half turn, so it passes a boundary within a cell
// only in cells that hold one of the boundaries: at most 2^52 of them for sizes up to 13 deviations, and all larger
// sizes together (u below 2^-120) have a chance of 2^-120. The 256-bit arithmetic is off by less than 2^-185 steps;
// at a boundary the variable moves by at least 0.6 steps per unit of u, so this adds a chance below 2^-130. In all
// 2^-118.
// What remains is that AES-256 in counter mode is taken for random bits. So a release with these numbers may claim
// the epsilon and delta of the continuous mechanism, with 2^-100 a number added to delta.
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
void add_gaussian(std::span<int32_t> values, double stddev_in_steps, const StreamName& stream);

// Adds noise with density exp(-|x| / scale) / (2 scale). (For whole numbers there is the exact discrete Laplace
// distribution in kernels/discrete_noise.h.)
void add_laplace(std::span<int64_t> values, double scale_in_steps, const StreamName& stream);
void add_laplace(std::span<int32_t> values, double scale_in_steps, const StreamName& stream);

// out[i] = round(scale * G) with distribution function exp(-exp(-x)) of G.
void fill_gumbel_grid(std::span<int64_t> out, double scale_in_steps, const StreamName& stream);

}  // namespace graphveil::kernels
