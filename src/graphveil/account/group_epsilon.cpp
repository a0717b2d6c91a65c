#include "graphveil/account/group_epsilon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/drawn.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr double kGroupSlack = 1 + 1e-9;   // against rounding of the exponentials below
constexpr double kSmallestTried = 1e-300;  // of the deltas that are tried

// log((e^(size e) - 1) / (e^e - 1)), for size e beyond what a double's exponential holds too.
double log_factor(double e, int64_t size) {
  const auto n = static_cast<double>(size);
  if (e == 0) return std::log(n);
  return n * e + std::log(-std::expm1(-n * e)) - (e + std::log(-std::expm1(-e)));
}

}  // namespace

double group_epsilon(const Ledger& ledger, double delta, int64_t size, Accountant accountant) {
  require(size >= 1, "a group has {} entities, want at least 1", size);
  const auto n = static_cast<double>(size);
  const double one = drawn_epsilon(ledger, delta, accountant);
  if (size == 1 || !std::isfinite(one)) return one;
  const double without = drawn_epsilon(ledger, 0, accountant);  // finite where all noise is pure
  double best = n * without * kGroupSlack;
  if (delta <= 0) return best;
  const auto fits = [&](double log_delta) {
    const double e = drawn_epsilon(ledger, std::exp(log_delta), accountant) * kGroupSlack;
    if (!(log_delta + log_factor(e, size) <= std::log(delta))) return false;
    best = std::min(best, n * e);
    return true;
  };
  // Smaller deltas fit sooner or later, where any do.
  double high = std::log(delta), low = high;
  for (double step = 2; low > std::log(kSmallestTried) && !fits(low); step *= 2) low = high - step;
  for (int i = 0; i < 20 && high - low > 0.01; ++i) {
    const double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return std::max(best, one);
}

}  // namespace graphveil::account
