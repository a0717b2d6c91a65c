// Randomized response over several classes (Warner 1965; Kairouz, Oh and Viswanath 2016).
#include <cmath>
#include <utility>

#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {

double flip_probability(double log_odds, int64_t classes) {
  // Another class with probability b each, the true one with a, ln(a / b) = log_odds: in all (C - 1) b =
  // (C - 1) e^-l / (1 + (C - 1) e^-l). A double near it, and then one above by a few last digits, and at least what a
  // stream can draw exactly: more flips, more privacy. The digits also pay for what a sample of cells
  // (mechanism/randomized_set.cpp) is off by, 2^-114 a draw and fewer than 2^53 of them.
  const double others = static_cast<double>(classes - 1) * std::exp(-log_odds);
  return std::min(static_cast<double>(classes - 1) / static_cast<double>(classes),
                  std::max(others / (1 + others) * (1 + 0x1p-48), 0x1p-1000));
}

namespace {

// The label, or another one.
int32_t response(int32_t label, double flip, int64_t classes, RandomStream& random) {
  if (!random.bernoulli(flip)) return label;
  const auto other = static_cast<int32_t>(random.below(static_cast<uint64_t>(classes) - 1));
  return other < label ? other : other + 1;
}

}  // namespace

Noisy<int32_t> Release::label(const std::string& label, bound::Bounded<int32_t> input) {
  const account::RandomizedResponse planned = planned_as<account::RandomizedResponse>(line(label));
  require(input.value_ >= 0 && input.value_ < planned.classes, "'{}': label {} of {} classes", label, input.value_,
          planned.classes);
  spend(label, input.sensitivity());
  int32_t y = input.value_;
  if (observer_ != nullptr) observer_->saw(label, {static_cast<double>(y)}, 1, input.sensitivity());
  if (door_ == Door::Private) {
    RandomStream random(seed_, purpose(label), point_.draws++);
    y = response(y, flip_probability(planned.log_odds, planned.classes), planned.classes, random);
  }
  return finish_label(label, y, planned.log_odds);
}

Noisy<std::vector<int32_t>> Release::randomized_response(const std::string& label,
                                                         bound::Bounded<std::vector<int32_t>> labels) {
  const account::RandomizedResponse response = planned_as<account::RandomizedResponse>(line(label));
  const auto classes = response.classes;
  // The event prices one changed label; more of them would be a group.
  require(labels.sensitivity().amount == 1, "'{}': one record changes {} labels, want 1", label,
          labels.sensitivity().amount);
  for (const int32_t y : labels.value_)
    require(y >= 0 && y < classes, "'{}': label {} of {} classes", label, y, classes);
  spend(label, labels.sensitivity());
  std::vector<int32_t> noisy = std::move(labels.value_);
  if (observer_ != nullptr) {
    observer_->saw(label, {noisy.begin(), noisy.end()}, static_cast<int64_t>(noisy.size()), labels.sensitivity());
  }
  if (door_ == Door::Private) {
    const double flip = flip_probability(response.log_odds, classes);
    RandomStream random(seed_, purpose(label), point_.draws++);
    for (int32_t& y : noisy) y = mechanism::response(y, flip, classes, random);
  }
  return finish(label, std::move(noisy), response.log_odds);
}

}  // namespace graphveil::mechanism
