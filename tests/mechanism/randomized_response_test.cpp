#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::randomized_response_test {
namespace {

bound::Bounded<std::vector<int32_t>> labels(std::vector<int32_t> values, double amount = 1) {
  return bound::TestVoucher::bounded(std::move(values), {.amount = amount, .norm = bound::Norm::Hamming});
}

Release open(double log_odds, int64_t classes, double epsilon) {
  const Plan plan{{account::Event("labels", account::RandomizedResponse{log_odds, classes}),
                   bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
  return Release::open(bound::Relation::Node, plan, {epsilon, 0}, Seed::from_number(2));
}

TEST(RandomizedResponse, KeepsAndFlipsAtTheStatedRates) {
  constexpr double kLogOdds = 1.5;
  constexpr int kClasses = 4, kCount = 40000;
  Release release = open(kLogOdds, kClasses, 1.5001);
  const auto noisy = release.randomized_response("labels", labels(std::vector<int32_t>(kCount, 2)));
  std::vector<int> counts(kClasses, 0);
  for (int32_t y : noisy.value()) ++counts.at(static_cast<size_t>(y));
  const double other = 1 / (std::exp(kLogOdds) + 3);
  for (int k = 0; k < kClasses; ++k) {
    const double p = k == 2 ? std::exp(kLogOdds) * other : other;
    EXPECT_NEAR(counts[k], kCount * p, 4 * std::sqrt(kCount * p * (1 - p))) << k;
  }
}

TEST(RandomizedResponse, RefusesLabelsOutOfRangeAndGroups) {
  Release release = open(1.0, 3, 1.001);
  EXPECT_THROW(release.randomized_response("labels", labels({0, 3})), Error);
  EXPECT_THROW(release.randomized_response("labels", labels({0, -1})), Error);
  EXPECT_THROW(release.randomized_response("labels", labels({0, 1}, 2)), Error);
  EXPECT_TRUE(release.spent().empty());
}

// Never fewer flips than the log-odds say, and never more than a uniform label would be.
TEST(RandomizedResponse, TheFlipProbabilityIsOnTheSafeSide) {
  for (const double log_odds : {0.0, 1e-9, 0.3, 1.0, 5.0, 30.0}) {
    for (const int64_t classes : {2, 3, 40}) {
      const double flip = flip_probability(log_odds, classes), others = static_cast<double>(classes - 1);
      EXPECT_LE(flip, others / (others + 1));
      const double odds = (1 - flip) / (flip / others);
      EXPECT_NEAR(std::log(odds), log_odds, 1e-9 * (1 + log_odds));
      EXPECT_GE(flip, others / (others + std::exp(log_odds)) * (1 - 1e-15));
    }
  }
}

}  // namespace
}  // namespace graphveil::mechanism::randomized_response_test
