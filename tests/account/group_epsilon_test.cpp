#include "graphveil/account/group_epsilon.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/drawn.h"
#include "graphveil/base/error.h"

namespace graphveil::account::group_epsilon_test {
namespace {

constexpr double kDelta = 1e-6;

// A group of n moves a sum n times as far: the truth for a Gaussian, never below the bound and not far from it.
TEST(GroupEpsilon, IsAboveTheTruthForAGaussian) {
  for (const double multiplier : {20.0, 5.0, 2.0}) {
    for (const int64_t size : {2, 3, 8}) {
      const double bound = group_epsilon({Event("sum", Gaussian{multiplier})}, kDelta, size);
      const double truth = drawn_epsilon({Event("sum", Gaussian{multiplier / static_cast<double>(size)})}, kDelta);
      EXPECT_GE(bound, truth * (1 - 1e-9)) << multiplier << " " << size;
      EXPECT_LT(bound, 3 * truth) << multiplier << " " << size;
    }
  }
}

TEST(GroupEpsilon, PureNoiseCostsSizeTimes) {
  const Ledger ledger{Event("count", Laplace{2})};
  EXPECT_NEAR(group_epsilon(ledger, 0, 3), 1.5, 1e-6);
  EXPECT_LE(group_epsilon(ledger, kDelta, 3), 1.5 * (1 + 1e-6));
  EXPECT_GE(group_epsilon(ledger, kDelta, 3), drawn_epsilon({Event("count", Laplace{2.0 / 3})}, kDelta) * (1 - 1e-9));
}

TEST(GroupEpsilon, OneIsOneAndMoreCostMore) {
  const Ledger ledger{Event("steps", Gaussian{1.5}, Poisson{0.01}, 500), Event("sum", Gaussian{10})};
  double before = drawn_epsilon(ledger, kDelta);
  EXPECT_EQ(group_epsilon(ledger, kDelta, 1), before);
  for (const int64_t size : {2, 3, 5}) {
    const double now = group_epsilon(ledger, kDelta, size);
    EXPECT_GT(now, before) << size;
    EXPECT_TRUE(std::isfinite(now)) << size;
    before = now;
  }
  EXPECT_THROW(group_epsilon(ledger, kDelta, 0), Error);
}

}  // namespace
}  // namespace graphveil::account::group_epsilon_test
