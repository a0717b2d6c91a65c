#include "graphveil/account/published_pate.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/normal.h"
#include "graphveil/base/random.h"

namespace graphveil::account::published_pate_test {
namespace {

TEST(PublishedPate, DataIndependent) {
  EXPECT_DOUBLE_EQ(rdp_gnmax(40, 8), 8 / 1600.0);
  EXPECT_DOUBLE_EQ(rdp_gnmax_check(150, 8), 8 / 45000.0);
  // Claimed sensitivity 1 against sqrt 2: half the divergence.
  const double claimed = published_dpgpl_epsilon(50, 20, 1, 1e-4), slope = 50 / 800.0;
  EXPECT_NEAR(claimed, slope + 2 * std::sqrt(slope * std::log(1e4)), 1e-5);
  EXPECT_GT(published_dpgpl_epsilon(50, 20, std::sqrt(2.0), 1e-4), claimed);
}

TEST(PublishedPate, FlipProbabilityBoundsTheTruth) {
  const std::vector<double> votes = {30, 22, 18, 5};
  const double sigma = 6;
  RandomStream stream(Seed::from_number(7), "flip", 0);
  int flips = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    double first = votes[0] + sigma * stream.gaussian(), best = first;
    for (size_t c = 1; c < votes.size(); ++c) best = std::max(best, votes[c] + sigma * stream.gaussian());
    flips += best > first;
  }
  const double bound = std::exp(gnmax_log_flip_probability(votes, sigma)),
               measured = static_cast<double>(flips) / kDraws;
  EXPECT_GE(bound, measured - 5 * std::sqrt(measured / kDraws));
  EXPECT_LE(bound, 1.3 * measured);
  // Two classes: exactly Phi(-gap / (sqrt 2 sigma)), in a far tail.
  EXPECT_NEAR(gnmax_log_flip_probability(std::vector<double>{500, 0}, 10), log_normal_cdf(-50 / std::sqrt(2.0)), 1e-9);
}

TEST(PublishedPate, DataDependentIsNeverAboveTheIndependentBound) {
  for (double log_q : {-0.1, -1.0, -5.0, -20.0, -100.0, -5000.0}) {
    for (double order : {1.5, 4.0, 20.0}) {
      const double bound = rdp_gnmax_data_dependent(log_q, 40, order);
      EXPECT_LE(bound, rdp_gnmax(40, order));
      EXPECT_GE(bound, 0);
    }
  }
  // Strong agreement: much smaller. Written out for ln q = -40, sigma = 10, order 3:
  const double log_q = -40, v = 100, mu2 = std::sqrt(40 * v), mu1 = mu2 + 1, e1 = mu1 / v, e2 = mu2 / v,
               q = std::exp(log_q);
  const double a = (1 - q) / (1 - std::pow(q * std::exp(e2), (mu2 - 1) / mu2)),
               b = std::exp(e1) / std::pow(q, 1 / (mu1 - 1));
  const double expected = std::log((1 - q) * a * a + q * b * b) / 2;
  EXPECT_NEAR(rdp_gnmax_data_dependent(log_q, 10, 3), expected, 1e-15);
  EXPECT_LT(expected, 1e-6 * rdp_gnmax(10, 3));
  EXPECT_EQ(rdp_gnmax_data_dependent(-std::numeric_limits<double>::infinity(), 10, 3), 0);
}

}  // namespace
}  // namespace graphveil::account::published_pate_test
