#include "graphveil/account/normal.h"

namespace graphveil::account {
namespace {

// Laplace's continued fraction P(Z > x) / density(x) = 1/(x + 1/(x + 2/(x + 3/(x + ...)))), for x > 8, where thirty
// terms leave an error far below the last bit.
double mills_tail(double x) {
  double fraction = x;
  for (int k = 30; k >= 1; --k) fraction = x + k / fraction;
  return 1 / fraction;
}

}  // namespace

double mills_ratio(double x) {
  if (x > 8) return mills_tail(x);
  return normal_cdf(-x) * std::exp(0.5 * x * x + kHalfLogTwoPi);
}

double log_normal_cdf(double x) {
  if (x < -8) return std::log(mills_tail(-x)) - 0.5 * x * x - kHalfLogTwoPi;
  if (x > 0) return std::log1p(-normal_cdf(-x));
  return std::log(normal_cdf(x));
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace graphveil::account
