#include "graphveil/account/group_mixture.h"

#include <algorithm>
#include <cmath>

#include "graphveil/account/normal.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

[[noreturn]] void too_many(int64_t n, double rate) {
  fail(ErrorKind::Unsupported,
       "poisson-group with {} samples of one record at rate {}: more than {} of their batch counts matter; too many to "
       "compute",
       n, rate, 2 * kMostComponents);
}

}  // namespace

Binomial::Binomial(int64_t n, double rate, double tail) {
  if (n == 0 || rate == 0 || rate == 1) {
    first = rate == 1 ? n : 0;
    weight = {1};
    return;
  }
  const double count = static_cast<double>(n), odds = rate / (1 - rate);
  const auto mode = std::min(n, static_cast<int64_t>((count + 1) * rate));
  const double at = static_cast<double>(mode);
  const double peak = std::exp(log_choose(count, at) + at * std::log(rate) + (count - at) * std::log1p(-rate));
  // Outward from the mode by the ratio of neighbors, which only falls: once it is r, the rest is a geometric series.
  std::vector<double> lower, upper;
  double term = peak;
  for (int64_t i = mode; i < n; ++i) {
    const double ratio = static_cast<double>(n - i) / static_cast<double>(i + 1) * odds;
    if (ratio < 1 && term * ratio / (1 - ratio) <= 0.25 * tail) {
      dropped += term * ratio / (1 - ratio);
      break;
    }
    if (upper.size() >= kMostComponents) too_many(n, rate);
    upper.push_back(term *= ratio);
  }
  term = peak;
  for (int64_t i = mode; i > 0; --i) {
    const double ratio = static_cast<double>(i) / static_cast<double>(n - i + 1) / odds;
    if (ratio < 1 && term * ratio / (1 - ratio) <= 0.25 * tail) {
      dropped += term * ratio / (1 - ratio);
      break;
    }
    if (lower.size() >= kMostComponents) too_many(n, rate);
    lower.push_back(term *= ratio);
  }
  first = mode - static_cast<int64_t>(lower.size());
  weight.assign(lower.rbegin(), lower.rend());
  weight.push_back(peak);
  weight.insert(weight.end(), upper.begin(), upper.end());
  // The peak carries the rounding of three log-gammas; the total is known.
  double total = 0;
  for (double w : weight) total += w;
  for (double& w : weight) w *= (1 - dropped) / total;
}

}  // namespace graphveil::account
