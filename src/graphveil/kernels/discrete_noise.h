// Noise that is a whole number by nature, for counts that one record moves by a whole number. Drawn with whole-number
// arithmetic alone: no floating point anywhere. Entry i depends on the stream's name and on i alone.
//
// Guarantee. Every whole number has its stated probability to a factor within 2^-80: none is left out.
// P(|X| >= m) is tabulated to within 2^-180 as far as it is 2^-62 (or for m = 1); a number is found by comparing a
// uniform number with the table, its first 63 bits first and, where these do not decide (once in 2^50), 128 more. The
// probabilities in the table are differences of these, at least 2^-76, or 2^-92 for m = 1 at the smallest scale, so
// right to a factor within 2^-87. Sizes from the last one on are drawn coin by coin, to any size, each coin right to a
// factor within 2^-180 (kernels/discrete_tail.h).
// So Laplace noise of this scale on whole numbers that move by d in L1 is (d / scale + 2^-78 d, 0)-DP: entries that do
// not move have the same distribution, and each that moves moves by 1 at least.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/kernels/stream_name.h"

namespace graphveil::kernels {

// numerator / denominator, exactly; both at least 1.
struct Rational {
  uint64_t numerator = 0;
  uint64_t denominator = 1;
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};
// A double is a whole number over a power of two: exact for doubles from 2^-10 to 2^53, else InvalidArgument.
Rational exact_rational(double value);

// values[i] += X with P(X = k) proportional to exp(-|k| / scale); scale in [1/64, 8192 (1 + 2^-40)], else
// InvalidArgument. Sums wrap modulo 2^64.
// The values are entries [first, first + values.size()) of a larger fill: together its parts get what the whole would.
void add_discrete_laplace(std::span<int64_t> values, Rational scale, const StreamName& stream, int64_t first = 0);

// values[i] += X with P(X = k) proportional to exp(-k^2 / (2 variance)); variance in [1/64, 2^26]. The variance of X
// is at most that. `first` as above.
void add_discrete_gaussian(std::span<int64_t> values, Rational variance, const StreamName& stream, int64_t first = 0);

}  // namespace graphveil::kernels
