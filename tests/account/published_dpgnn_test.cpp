#include "graphveil/account/published_dpgnn.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"

namespace graphveil::account::published_dpgnn_test {
namespace {

TEST(PublishedDpGnn, Occurrences) {
  EXPECT_EQ(dpgnn_occurrences(7, 1), 8);
  EXPECT_EQ(dpgnn_occurrences(10, 3), 1111);
  EXPECT_EQ(dpgnn_occurrences(0, 2), 1);
  EXPECT_THROW(dpgnn_occurrences(1000, 10), Error);
}

TEST(PublishedDpGnn, FullBatchIsAShiftOfTwiceTheOccurrences) {
  // All samples in every batch: Gaussian of sensitivity 2 * 8, at most order 9.9.
  const DpGnnSetting setting{100, 100, 7, 1, 4};
  const double s = 400, mu = 2 * 16 / s;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 11; i <= 99; ++i) {
    const double a = 0.1 * i;
    best = std::min(best, a * mu * mu / 2 + std::log(1 - 1 / a) - std::log(1e-5 * a) / (a - 1));
  }
  EXPECT_NEAR(published_dpgnn_epsilon(setting, s, 1e-5), best, 1e-9);
}

TEST(PublishedDpGnn, NeedsMoreNoiseThanTheTightBound) {
  // A setting of the paper: degree 7, one layer, batch 10,000 of 90,941, epsilon 12.
  const DpGnnSetting setting{90941, 10000, 7, 1, 100};
  const double rate = 10000.0 / 90941;
  const Calibration tight = calibrate(
      [&](double s) {
        return Ledger{Event("", Gaussian{s}, PoissonGroup{rate, 8, 7}, 100)};
      },
      12, 1e-6);
  double low = tight.noise, high = 10 * tight.noise;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (published_dpgnn_epsilon(setting, middle, 1e-6) > 12 ? low : high) = middle;
  }
  EXPECT_GT(high / tight.noise, 1.2);
  EXPECT_LT(high / tight.noise, 2);
}

// The paper fixes the noise and stops where the budget is spent. The numbers are from another program, which sums the
// hypergeometric probabilities and takes the best order directly.
TEST(PublishedDpGnn, StepsAreThoseThatTheBudgetAllows) {
  const double delta = 1 / (10.0 * 90941);
  EXPECT_EQ(published_dpgnn_steps({90941, 10000, 7, 1}, 2 * 2 * 8, 12, delta, 3000), 668);
  EXPECT_EQ(published_dpgnn_steps({90941, 10000, 7, 1}, 2 * 1 * 8, 12, delta, 3000), 152);
  EXPECT_EQ(published_dpgnn_steps({90941, 20000, 3, 2}, 2 * 2 * 13, 15, delta, 3000), 385);
  EXPECT_EQ(published_dpgnn_steps({90941, 10000, 7, 1}, 2 * 2 * 8, 12, delta, 100), 100);
  const DpGnnSetting one_more{90941, 10000, 7, 1, 669};
  EXPECT_GT(published_dpgnn_epsilon(one_more, 32, delta), 12);
  EXPECT_EQ(published_dpgnn_steps({100, 100, 7, 1}, 1, 0.1, 1e-5, 3000), 0);
  EXPECT_EQ(published_dpgnn_steps({100, 10, 3, 1}, 0, 12, 1e-5, 3000), 0);
  EXPECT_THROW(published_dpgnn_steps({100, 10, 3, 1}, 1, -1, 1e-5, 3000), Error);
}

TEST(PublishedDpGnn, Ends) {
  EXPECT_EQ(published_dpgnn_epsilon({100, 10, 3, 1, 0}, 1, 1e-5), 0);
  EXPECT_EQ(published_dpgnn_epsilon({100, 10, 3, 1, 5}, 0, 1e-5), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace graphveil::account::published_dpgnn_test
