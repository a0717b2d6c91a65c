#include "graphveil/mechanism/release.h"

#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace graphveil::mechanism {
namespace {

using account::Event;
using account::Gaussian;
using account::Poisson;
using bound::Bounded;

const Seed kSeed = Seed::from_number(1);

Bounded<Matrix> zeros(bound::Sensitivity sensitivity = {.amount = 1}) { return {Matrix(2, 3), std::move(sensitivity)}; }

ErrorKind kind_thrown(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::Internal;
}

TEST(Release, RefusesAPlanOverTheCap) {
  const account::Ledger plan{Event("sum", Gaussian{1.0})};  // epsilon 4.377 at delta 1e-5
  EXPECT_NO_THROW(Release(bound::Relation::Node, plan, {4.4, 1e-5}, kSeed));
  EXPECT_EQ(kind_thrown([&] { Release(bound::Relation::Node, plan, {4.3, 1e-5}, kSeed); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesZeroNoiseForAFiniteEpsilon) {
  const account::Ledger plan{Event("sum", Gaussian{0.0})};
  EXPECT_EQ(kind_thrown([&] { Release(bound::Relation::Node, plan, {1e6, 1e-5}, kSeed); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesCapsThatAreNotBudgets) {
  for (Budget cap : {Budget{0, 1e-5}, Budget{-1, 1e-5}, Budget{std::nan(""), 1e-5}, Budget{1, -1e-5}, Budget{1, 1.0},
                     Budget{1, std::nan("")}}) {
    EXPECT_THROW(Release(bound::Relation::Node, {}, cap, kSeed), Error) << cap.epsilon << " " << cap.delta;
  }
}

TEST(Release, SpendsWhatWasPlannedAndNoMore) {
  Release release(bound::Relation::Node, {Event("sum", Gaussian{2.0}, {}, 2)}, {10, 1e-5}, kSeed);
  EXPECT_TRUE(release.spent().empty());
  release.gaussian("sum", zeros(), 2.0);
  EXPECT_FALSE(release.complete());
  EXPECT_EQ(release.spent(), (account::Ledger{Event("sum", Gaussian{2.0}, {}, 1)}));
  release.gaussian("sum", zeros(), 2.0);
  EXPECT_TRUE(release.complete());
  EXPECT_EQ(release.spent(), release.plan());
  EXPECT_EQ(kind_thrown([&] { release.gaussian("sum", zeros(), 2.0); }), ErrorKind::BudgetExceeded);
}

TEST(Release, RefusesEventsThatDifferFromThePlan) {
  Release release(bound::Relation::Node, {Event("step", Gaussian{2.0}, Poisson{0.1}, 5)}, {10, 1e-5}, kSeed);
  const bound::Sensitivity sampled{.amount = 1, .sampling = Poisson{0.1}};
  // Another label, less noise, more noise, no sampling, another rate.
  EXPECT_EQ(kind_thrown([&] { release.gaussian("other", zeros(sampled), 2.0); }), ErrorKind::BudgetExceeded);
  EXPECT_EQ(kind_thrown([&] { release.gaussian("step", zeros(sampled), 1.0); }), ErrorKind::BudgetExceeded);
  EXPECT_EQ(kind_thrown([&] { release.gaussian("step", zeros(sampled), 3.0); }), ErrorKind::BudgetExceeded);
  EXPECT_EQ(kind_thrown([&] { release.gaussian("step", zeros(), 2.0); }), ErrorKind::BudgetExceeded);
  EXPECT_EQ(kind_thrown([&] { release.gaussian("step", zeros({.amount = 1, .sampling = Poisson{0.2}}), 2.0); }),
            ErrorKind::BudgetExceeded);
  EXPECT_TRUE(release.spent().empty());
  EXPECT_NO_THROW(release.gaussian("step", zeros(sampled), 2.0));
}

TEST(Release, RefusesABoundForAnotherRelationOrNorm) {
  Release release(bound::Relation::Node, {Event("sum", Gaussian{2.0})}, {10, 1e-5}, kSeed);
  EXPECT_THROW(release.gaussian("sum", zeros({.amount = 1, .relation = bound::Relation::Edge}), 2.0), Error);
  EXPECT_THROW(release.gaussian("sum", zeros({.amount = 1, .norm = bound::Norm::L1}), 2.0), Error);
  EXPECT_TRUE(release.spent().empty());
}

TEST(Release, ALineHasOneSensitivity) {
  Release release(bound::Relation::Node, {Event("sum", Gaussian{2.0}, {}, 3)}, {10, 1e-5}, kSeed);
  release.gaussian("sum", zeros({.amount = 3}), 2.0);
  EXPECT_THROW(release.gaussian("sum", zeros({.amount = 2}), 2.0), Error);
  release.gaussian("sum", zeros({.amount = 3}), 2.0);
  const SpentLine expected{Event("sum", Gaussian{2.0}, {}, 2), 3.0, bound::Norm::L2, 6.0};
  EXPECT_EQ(release.spent_lines(), std::vector<SpentLine>{expected});
}

TEST(Release, RefusesUselessNoise) {
  Release release(bound::Relation::Node, {Event("sum", Gaussian{2.0})}, {10, 1e-5}, kSeed);
  for (double noise : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(release.gaussian("sum", zeros(), noise), Error) << noise;
  }
}

}  // namespace
}  // namespace graphveil::mechanism
