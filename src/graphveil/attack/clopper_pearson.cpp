#include "graphveil/attack/clopper_pearson.h"

#include <cmath>

#include "graphveil/account/normal.h"
#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

// The continued fraction of I_x(a, b) by Lentz's method; converges quickly for x < (a + 1) / (a + b + 2).
double fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int64_t m = 1; m < 100'000; ++m) {
    const auto k = static_cast<double>(m);
    const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= c * d;
    const double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

void check(int64_t successes, int64_t trials, double error) {
  require(trials >= 1 && successes >= 0 && successes <= trials, "{} successes in {} trials", successes, trials);
  require(error > 0 && error < 1, "an error of {}, want more than 0 and less than 1", error);
}

// The p at which I_p(a, b), which rises in p, passes `level`; searched in ln p, rounded down or up.
double beta_quantile(double a, double b, double level, bool up) {
  double low = -745, high = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(a, b, std::exp(middle)) < level ? low : high) = middle;
  }
  return std::exp(up ? high : low);
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double log_front =
      account::log_gamma(a + b) - account::log_gamma(a) - account::log_gamma(b) + a * std::log(x) + b * std::log1p(-x);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * fraction(a, b, x) / a;
  return 1 - std::exp(log_front) * fraction(b, a, 1 - x) / b;
}

double probability_low(int64_t successes, int64_t trials, double error) {
  check(successes, trials, error);
  if (successes == 0) return 0;
  return beta_quantile(static_cast<double>(successes), static_cast<double>(trials - successes + 1), error, false);
}

double probability_high(int64_t successes, int64_t trials, double error) {
  check(successes, trials, error);
  if (successes == trials) return 1;
  return beta_quantile(static_cast<double>(successes + 1), static_cast<double>(trials - successes), 1 - error, true);
}

}  // namespace graphveil::attack
