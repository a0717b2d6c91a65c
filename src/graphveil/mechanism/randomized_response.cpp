// Randomized response over several classes (Warner 1965; Kairouz, Oh and Viswanath 2016).
#include <cmath>
#include <utility>

#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

double flip_probability(double log_odds, int64_t classes) {
  // Another class with probability b each, the true one with a, ln(a / b) = log_odds: in all (C - 1) b =
  // (C - 1) e^-l / (1 + (C - 1) e^-l). A double near it, and then one above by a few last digits: more flips, more
  // privacy.
  const double others = static_cast<double>(classes - 1) * std::exp(-log_odds);
  return std::min(static_cast<double>(classes - 1) / static_cast<double>(classes), others / (1 + others) * (1 + 0x1p-48));
}

Noisy<std::vector<int32_t>> Release::randomized_response(const std::string& label,
                                                         bound::Bounded<std::vector<int32_t>> labels) {
  const account::RandomizedResponse response = mechanism_of<account::RandomizedResponse>(line(label));
  const auto classes = response.classes;
  // The event prices one changed label; more of them would be a group.
  require(labels.sensitivity().amount == 1, "'{}': one record changes {} labels, want 1", label,
          labels.sensitivity().amount);
  for (const int32_t y : labels.value_) require(y >= 0 && y < classes, "'{}': label {} of {} classes", label, y, classes);
  spend(label, labels.sensitivity());
  std::vector<int32_t> noisy = std::move(labels.value_);
  if (observer_ != nullptr) {
    observer_->saw(label, {noisy.begin(), noisy.end()}, static_cast<int64_t>(noisy.size()), labels.sensitivity());
  }
  if (door_ == Door::Private) {
    const double flip = flip_probability(response.log_odds, classes);
    RandomStream random(seed_, purpose(label), point_.draws++);
    for (int32_t& y : noisy) {
      if (!random.bernoulli(flip)) continue;
      const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(classes) - 1));
      y = other < y ? other : other + 1;
    }
  }
  return finish(label, std::move(noisy), response.log_odds);
}

}  // namespace graphveil::mechanism
