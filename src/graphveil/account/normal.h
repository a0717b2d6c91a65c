// The normal distribution to full relative accuracy in both tails, and sums in log space.
#pragma once

#include <cmath>
#include <limits>

namespace graphveil::account {

// ln(2 pi) / 2.
inline constexpr double kHalfLogTwoPi = 0.91893853320467274178;

// P(Z <= x) for a standard normal Z; relative error of a few units in the last place in the lower tail too.
inline double normal_cdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }

// ln P(Z <= x), finite for every finite x.
double log_normal_cdf(double x);

// Mills' ratio P(Z > x) / density(x), for any x >= -37 (beyond, it overflows).
double mills_ratio(double x);

// ln(e^a + e^b); -infinity stands for zero.
inline double log_add(double a, double b) {
  if (a < b) {
    const double swap = a;
    a = b;
    b = swap;
  }
  return b == -std::numeric_limits<double>::infinity() ? a : a + std::log1p(std::exp(b - a));
}

// ln(e^a - e^b), a >= b.
inline double log_sub(double a, double b) {
  if (b == -std::numeric_limits<double>::infinity()) return a;
  if (a <= b) return -std::numeric_limits<double>::infinity();
  return a + std::log(-std::expm1(b - a));
}

// ln Gamma(x), x > 0, safe to call from several threads (std::lgamma writes a global sign).
double log_gamma(double x);

// ln of the binomial coefficient n over k, 0 <= k <= n.
inline double log_choose(double n, double k) { return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1); }

}  // namespace graphveil::account
