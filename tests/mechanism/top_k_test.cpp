#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism {
namespace {

bound::Bounded<bound::GridMatrix> scores(const Release& release, std::initializer_list<double> values) {
  const double step = release.grid("pick");
  bound::GridMatrix m{IntegerMatrix<int64_t>(1, static_cast<int64_t>(values.size())), step};
  int64_t i = 0;
  for (double v : values) m.values(0, i++) = static_cast<int64_t>(v / step);
  return bound::TestVoucher::bounded(std::move(m), {.amount = 1, .norm = bound::Norm::LInf});
}

Release open(double range, int64_t picks) {
  const Plan plan{{account::Event("pick", account::Exponential{range}, {}, picks), 1, bound::Norm::LInf}};
  return Release::open(bound::Relation::Node, plan, {1e9, 0.5}, Seed::from_number(8));
}

TEST(TopK, OnePickFollowsTheExponentialMechanism) {
  // P(pick i) is proportional to exp(score_i / b), b = 2 / range.
  constexpr double kRange = 1.0;
  constexpr int kDraws = 20000;
  Release release = open(kRange, kDraws);
  std::array<int, 3> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts[release.top_k("pick", scores(release, {0, 1, 2}), 1).value()[0]];
  const double total = 1 + std::exp(0.5) + std::exp(1.0);
  for (int i = 0; i < 3; ++i) {
    const double p = std::exp(0.5 * i) / total;
    EXPECT_NEAR(counts[i], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
}

TEST(TopK, PicksDifferentEntriesAndChargesEachPick) {
  Release release = open(0.5, 5);
  const auto picks = release.top_k("pick", scores(release, {0, 0, 0, 9000}), 3).value();
  EXPECT_EQ(picks[0], 3);  // far ahead of any noise
  EXPECT_NE(picks[1], picks[2]);
  EXPECT_EQ(release.spent().lines()[0].event.count(), 3);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1, 2}), 3), Error);  // only two picks left
  EXPECT_NO_THROW(release.top_k("pick", scores(release, {0, 1, 2}), 2));
}

TEST(TopK, RefusesMorePicksThanEntries) {
  Release release = open(0.5, 9);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1}), 3), Error);
  EXPECT_THROW(release.top_k("pick", scores(release, {0, 1}), 0), Error);
}

}  // namespace
}  // namespace graphveil::mechanism
