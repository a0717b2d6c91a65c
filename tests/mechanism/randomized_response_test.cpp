#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {
namespace {

bound::Bounded<std::vector<int32_t>> labels(std::vector<int32_t> values, double amount = 1) {
  return {std::move(values), {.amount = amount, .norm = bound::Norm::Hamming}};
}

TEST(RandomizedResponse, KeepsAndFlipsAtTheStatedRates) {
  constexpr double kLogOdds = 1.5;
  constexpr int kClasses = 4, kCount = 40000;
  Release release(bound::Relation::Node, {{"labels", account::RandomizedResponse{kLogOdds, kClasses}}}, {1.5001, 0},
                  Seed::from_number(2));
  const auto noisy = release.randomized_response("labels", labels(std::vector<int32_t>(kCount, 2)), kClasses, kLogOdds);
  std::vector<int> counts(kClasses, 0);
  for (int32_t y : noisy.value()) ++counts.at(static_cast<size_t>(y));
  const double other = 1 / (std::exp(kLogOdds) + 3);
  for (int k = 0; k < kClasses; ++k) {
    const double p = k == 2 ? std::exp(kLogOdds) * other : other;
    EXPECT_NEAR(counts[k], kCount * p, 4 * std::sqrt(kCount * p * (1 - p))) << k;
  }
}

TEST(RandomizedResponse, RefusesLabelsOutOfRangeAndGroups) {
  Release release(bound::Relation::Node, {{"labels", account::RandomizedResponse{1.0, 3}}}, {1.001, 0},
                  Seed::from_number(2));
  EXPECT_THROW(release.randomized_response("labels", labels({0, 3}), 3, 1.0), Error);
  EXPECT_THROW(release.randomized_response("labels", labels({0, -1}), 3, 1.0), Error);
  EXPECT_THROW(release.randomized_response("labels", labels({0, 1}, 2), 3, 1.0), Error);
  EXPECT_TRUE(release.spent().empty());
}

}  // namespace
}  // namespace graphveil::mechanism
