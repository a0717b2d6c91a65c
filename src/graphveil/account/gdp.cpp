#include "graphveil/account/gdp.h"

#include <cmath>
#include <limits>

#include "graphveil/account/normal.h"
#include "graphveil/base/error.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// Beyond this mu the rounding of mu/2 - e/mu, a few units in the last place of mu, is felt: it moves e by as many of e.
constexpr double kLargeMu = 50, kLargeMuUp = 1 + 1e-15;

// ln delta(e), rounded up. With a = mu/2 - e/mu and b = a - mu, e^e phi(b) = phi(a), so with Mills' ratio R
//   delta = phi(a) (R(-a) - R(-b)),
// a difference of two numbers of like size instead of one that loses every digit in the tail.
double log_delta(double mu, double epsilon) {
  const double a = 0.5 * mu - epsilon / mu, b = -0.5 * mu - epsilon / mu;
  if (a > 5) {
    // Nearly everything is lost: delta = Phi(a) - phi(a) R(-b), with Phi(a) close to 1. e^e Phi(b) itself would be a
    // product of a huge number and a tiny one, whose logarithms cancel.
    return std::log1p(-normal_cdf(-a) - std::exp(-0.5 * a * a - kHalfLogTwoPi) * mills_ratio(-b)) + 1e-14;
  }
  const double near = mills_ratio(-a), far = mills_ratio(-b);
  // Either ratio is off by a few units in the last place (times a^2 / 2 where it came through an exponential).
  const double difference = near - far + 1e-14 * near;
  return -0.5 * a * a - kHalfLogTwoPi + std::log(difference) + 1e-15 * a * a;
}

}  // namespace

double gdp_delta(double mu, double epsilon) {
  require(mu >= 0, "mu is {}; wanted a number >= 0", mu);
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  if (mu == 0 || epsilon == kInfinity) return 0;
  if (mu == kInfinity) return 1;
  const double log = log_delta(mu, mu > kLargeMu ? epsilon / kLargeMuUp : epsilon);
  return log < 0 ? std::exp(log) : 1;
}

double gdp_epsilon(double mu, double delta) {
  require(mu >= 0, "mu is {}; wanted a number >= 0", mu);
  require(delta >= 0 && delta <= 1, "delta is {}; wanted a number in [0, 1]", delta);
  if (mu == 0 || delta == 1) return 0;
  if (mu == kInfinity || delta == 0) return kInfinity;
  const double target = std::log(delta);
  if (log_delta(mu, 0) <= target) return 0;
  // delta(e) <= Phi(a) <= exp(-a^2 / 2) for a < 0, so e = mu^2/2 + mu sqrt(2 ln 1/delta) will do: bisect below it. What
  // is returned always satisfies the target.
  double low = 0, high = 0.5 * mu * mu + mu * std::sqrt(-2 * target) + 1e-300;
  while (high < kInfinity && !(log_delta(mu, high) <= target)) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (log_delta(mu, middle) <= target ? high : low) = middle;
  }
  return mu > kLargeMu ? high * kLargeMuUp : high;
}

double gdp_mu(double epsilon, double delta) {
  require(epsilon >= 0 && std::isfinite(epsilon), "epsilon is {}; wanted a finite number >= 0", epsilon);
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  const double target = std::log(delta);
  double low = 0, high = 1;
  while (log_delta(high, epsilon) <= target) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (log_delta(middle, epsilon) <= target ? low : high) = middle;
  }
  return low;
}

}  // namespace graphveil::account
