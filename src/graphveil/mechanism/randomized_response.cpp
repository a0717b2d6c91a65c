// Randomized response over several classes (Warner 1965; Kairouz, Oh and Viswanath 2016).
#include <cmath>
#include <utility>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {

Noisy<std::vector<int32_t>> Release::randomized_response(const std::string& label,
                                                         bound::Bounded<std::vector<int32_t>> labels, int classes,
                                                         double log_odds) {
  const bound::Sensitivity sensitivity = labels.sensitivity();
  require(classes >= 2, "'{}' has {} classes, want at least 2", label, classes);
  require(std::isfinite(log_odds) && log_odds > 0, "log-odds of '{}' are {}, want a positive finite number", label,
          log_odds);
  // The event prices one changed label; more of them would be a group.
  require(sensitivity.amount == 1, "'{}': one record changes {} labels, want 1", label, sensitivity.amount);
  for (int32_t y : labels.value_) require(y >= 0 && y < classes, "'{}': label {} of {} classes", label, y, classes);
  spend(account::Event(label, account::RandomizedResponse{log_odds, classes}, sensitivity.sampling), sensitivity,
        bound::Norm::Hamming, log_odds);
  // Kept with probability a, else any other class with probability b each, ln(a / b) = log_odds:
  // a = 1 / (1 + (classes - 1) e^-log_odds).
  const double keep = 1 / (1 + (classes - 1) * std::exp(-log_odds));
  RandomStream random(seed_, "noise/" + label, point_.draws++);
  std::vector<int32_t> noisy = std::move(labels.value_);
  for (int32_t& y : noisy) {
    if (random.bernoulli(keep)) continue;
    const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(classes) - 1));
    y = other < y ? other : other + 1;
  }
  return {std::move(noisy), log_odds};
}

}  // namespace graphveil::mechanism
