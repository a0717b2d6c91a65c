#include "graphveil/account/published_dpar.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"

namespace graphveil::account::published_dpar_test {
namespace {

TEST(PublishedDpar, SelectionTakesTheSmallerOfBothCompositions) {
  // Few picks: basic composition; many picks of small epsilon: the advanced one.
  EXPECT_DOUBLE_EQ(published_dpar_selection_epsilon(0.5, 2, 1e-6), 2);
  const double e = 0.01, k = 10000;
  EXPECT_NEAR(published_dpar_selection_epsilon(e, 10000, 1e-6),
              2 * (k * e * std::expm1(2 * e) / (std::exp(2 * e) + 1) + e * std::sqrt(2 * k * std::log(1e6))), 1e-12);
  for (double row : {0.01, 1.0, 30.0}) {
    EXPECT_NEAR(published_dpar_selection_epsilon(published_dpar_gumbel_epsilon(row, 16, 1e-6), 16, 1e-6) / row, 1,
                1e-10);
  }
}

TEST(PublishedDpar, RowsCompose) {
  const double row = published_dpar_row_epsilon(2, 1e-4, 70);
  EXPECT_NEAR(row, 2 / (2 * std::sqrt(70 * std::log(std::exp(1.0) + 2e4))), 1e-14);
  EXPECT_NEAR(published_dpar_rows_epsilon(row, 1e-4, 70), 2, 1e-9);
}

TEST(PublishedDpar, GaussianRows) {
  EXPECT_NEAR(published_dpar_gaussian_noise(0.5, 1e-5), std::sqrt(2 * std::log(1.25e5)) / 0.5, 1e-12);
  EXPECT_NEAR(published_dpar_gaussian_epsilon(published_dpar_gaussian_noise(0.5, 1e-5), 1e-5), 0.5, 1e-12);
}

TEST(PublishedDpar, Training) {
  const double noise = published_dpar_sgd_noise(1.5, 0.1, 3, 200, 1e-5);
  EXPECT_NEAR(noise, 2 * 0.1 * 3 * std::sqrt(200 * std::log(1e5)) / 1.5, 1e-12);
  EXPECT_NEAR(published_dpar_sgd_epsilon(noise, 0.1, 3, 200, 1e-5), 1.5, 1e-12);
  EXPECT_EQ(published_dpar_sgd_epsilon(0, 0.1, 3, 200, 1e-5), std::numeric_limits<double>::infinity());
}

TEST(PublishedDpar, ClaimedAmplificationIsFarFromTheProvedOne) {
  // A claimed total of 1 at node rate 0.09 is an epsilon of 11.1 before sampling, which sampling brings to 8.7.
  const double rate = 0.09;
  const PublishedBudget total = published_dpar_total({5, 1e-5}, {1 / rate - 5, 1e-5}, rate);
  EXPECT_NEAR(total.epsilon, 1, 1e-12);
  EXPECT_NEAR(total.delta, rate * 2e-5, 1e-18);
  EXPECT_NEAR(std::log1p(rate * std::expm1(1 / rate)), 8.7, 0.05);
}

}  // namespace
}  // namespace graphveil::account::published_dpar_test
