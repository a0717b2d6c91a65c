#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {
namespace {

bound::Bounded<Matrix> scores(std::initializer_list<double> values) {
  Matrix m(1, static_cast<int64_t>(values.size()));
  int64_t i = 0;
  for (double v : values) m(0, i++) = static_cast<Real>(v);
  return {std::move(m), {.amount = 1, .norm = bound::Norm::LInf}};
}

TEST(TopK, OnePickFollowsTheExponentialMechanism) {
  // P(pick i) is proportional to exp(score_i / b), b = 2 / range.
  constexpr double kRange = 1.0;
  constexpr int kDraws = 20000;
  Release release(bound::Relation::Node, {{"pick", account::Exponential{kRange}, {}, kDraws}}, {1e9, 0.5},
                  Seed::from_number(8));
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[release.top_k("pick", scores({0, 1, 2}), 1, kRange).value()[0]];
  const double total = 1 + std::exp(0.5) + std::exp(1.0);
  for (int i = 0; i < 3; ++i) {
    const double p = std::exp(0.5 * i) / total;
    EXPECT_NEAR(counts[i], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
}

TEST(TopK, PicksDifferentEntriesAndChargesEachPick) {
  Release release(bound::Relation::Node, {{"pick", account::Exponential{0.5}, {}, 5}}, {1e9, 0.5},
                  Seed::from_number(8));
  const auto picks = release.top_k("pick", scores({0, 0, 0, 9000}), 3, 0.5).value();
  EXPECT_EQ(picks[0], 3);  // far ahead of any noise
  EXPECT_NE(picks[1], picks[2]);
  EXPECT_EQ(release.spent().events()[0].count(), 3);
  EXPECT_THROW(release.top_k("pick", scores({0, 1, 2}), 3, 0.5), Error);  // only two picks left
  EXPECT_NO_THROW(release.top_k("pick", scores({0, 1, 2}), 2, 0.5));
}

TEST(TopK, RefusesMorePicksThanEntries) {
  Release release(bound::Relation::Node, {{"pick", account::Exponential{0.5}, {}, 9}}, {1e9, 0.5},
                  Seed::from_number(8));
  EXPECT_THROW(release.top_k("pick", scores({0, 1}), 3, 0.5), Error);
  EXPECT_THROW(release.top_k("pick", scores({0, 1}), 0, 0.5), Error);
}

}  // namespace
}  // namespace graphveil::mechanism
