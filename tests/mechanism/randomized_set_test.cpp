#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::randomized_set_test {
namespace {

bound::Bounded<std::vector<int64_t>> members(std::vector<int64_t> values, double amount = 1) {
  return bound::TestVoucher::bounded(std::move(values), {.amount = amount, .norm = bound::Norm::Hamming});
}

Release open(double log_odds, double epsilon, int64_t count = 1, int64_t classes = 2) {
  const Plan plan{{account::Event("edges", account::RandomizedResponse{log_odds, classes}, {}, count),
                   bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
  return Release::open(bound::Relation::Node, plan, {epsilon, 0}, Seed::from_number(2));
}

TEST(RandomizedSet, ReportsMembersAndOthersAtTheStatedRates) {
  constexpr double kLogOdds = 1.2, kThinning = 0.4;
  constexpr int64_t kUniverse = 200000;
  Release release = open(kLogOdds, 1.2001);
  std::vector<int64_t> ones;
  for (int64_t i = 0; i < kUniverse; i += 5) ones.push_back(i);
  const auto reported = release.randomized_set("edges", members(ones), kUniverse, kThinning).value();
  int64_t kept = 0, flipped = 0, before = -1;
  for (int64_t cell : reported) {
    EXPECT_GT(cell, before);
    EXPECT_LT(cell, kUniverse);
    before = cell;
    ++(cell % 5 == 0 ? kept : flipped);
  }
  const double truth = 1 / (1 + std::exp(-kLogOdds));
  const double p = kThinning * truth, q = kThinning * (1 - truth);
  EXPECT_NEAR(static_cast<double>(kept), 40000 * p, 4 * std::sqrt(40000 * p * (1 - p)));
  EXPECT_NEAR(static_cast<double>(flipped), 160000 * q, 4 * std::sqrt(160000 * q * (1 - q)));
}

TEST(RandomizedSet, HandlesEmptyAndFullSets) {
  Release release = open(1.0, 5, 2);
  EXPECT_NO_THROW(release.randomized_set("edges", members({}), 100, 1.0));
  std::vector<int64_t> all(100);
  for (int64_t i = 0; i < 100; ++i) all[i] = i;
  EXPECT_LE(release.randomized_set("edges", members(all), 100, 1.0).value().size(), 100u);
}

TEST(RandomizedSet, RefusesWhatItCannotPrice) {
  Release release = open(1.0, 1.001);
  EXPECT_THROW(release.randomized_set("edges", members({3, 2}), 10, 1.0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({2, 2}), 10, 1.0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({10}), 10, 1.0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({-1}), 10, 1.0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({1}, 2), 10, 1.0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({1}), 10, 0), Error);
  EXPECT_THROW(release.randomized_set("edges", members({1}), 10, 1.5), Error);
  EXPECT_TRUE(release.spent().empty());
  Release three = open(1.0, 1.001, 1, 3);
  EXPECT_THROW(three.randomized_set("edges", members({1}), 10, 1.0), Error) << "a cell has two states";
}

TEST(RandomizedSet, TheClearDoorReportsTheMembers) {
  const Plan plan{
      {account::Event("edges", account::RandomizedResponse{0, 2}), bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
  Release release = Release::clear(bound::Relation::Node, plan);
  EXPECT_EQ(release.randomized_set("edges", members({1, 5}), 10, 0.3).value(), (std::vector<int64_t>{1, 5}));
}

}  // namespace
}  // namespace graphveil::mechanism::randomized_set_test
