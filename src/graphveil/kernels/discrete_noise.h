// Noise that is a whole number by nature, for counts that one record moves by a whole number. Drawn with whole-number
// arithmetic alone: no floating point anywhere. Entry i depends on the stream's name and on i alone.
//
// Guarantee. P(|X| >= m) is tabulated to more than 200 bits; a number is found by comparing a uniform number with the
// table, its first 63 bits first and, where these do not decide (once in 2^50), 128 more. So each number has the stated
// distribution up to a total variation distance of 2^-120: 2^-170 for comparisons that 191 bits leave open, 2^-180
// for the table, and 2^-126 because sizes that all larger ones together reach with less probability than that are left
// out. In this sense a release has the epsilon of the stated distribution (sensitivity in L1 / scale for Laplace,
// delta = 0) and 2^-120 a number in delta.
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

// values[i] += X with P(X = k) proportional to exp(-|k| / scale); scale in [1/64, 8192], else InvalidArgument.
// Sums wrap modulo 2^64.
void add_discrete_laplace(std::span<int64_t> values, Rational scale, const StreamName& stream);

// values[i] += X with P(X = k) proportional to exp(-k^2 / (2 variance)); variance in [1/64, 2^26]. The variance of X
// is at most that.
void add_discrete_gaussian(std::span<int64_t> values, Rational variance, const StreamName& stream);

}  // namespace graphveil::kernels
