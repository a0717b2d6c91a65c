// Minima and maxima in which a value that is no number never makes a bound smaller. std::max(0.0, NaN) is 0.
#pragma once

#include <cmath>
#include <limits>

namespace graphveil::account {

// max(0, x); stays no number.
inline double nonnegative(double x) { return x <= 0 ? 0 : x; }

// The larger one; no number when either is none.
inline double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// An upper bound as it was computed: one that is no number says nothing, which is +infinity.
inline double proven(double bound) { return std::isnan(bound) ? std::numeric_limits<double>::infinity() : bound; }

}  // namespace graphveil::account
