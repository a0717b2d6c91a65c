#include "graphveil/account/published_lnmax.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::account::published_lnmax_test {
namespace {

// PATE-G's row of the paper's Table 2, where teachers do not agree: Amazon with delta = 4e-4, Reddit with 8e-5.
TEST(PublishedLnmax, IsThePapersTable) {
  EXPECT_NEAR(published_lnmax_epsilon(1000, 0.1, 4e-4), 47.82, 0.005);
  EXPECT_NEAR(published_lnmax_epsilon(1000, 0.2, 4e-4), 167.82, 0.005);
  EXPECT_NEAR(published_lnmax_epsilon(1000, 0.4, 4e-4), 647.82, 0.005);
  EXPECT_NEAR(published_lnmax_epsilon(1000, 0.8, 4e-4), 1600.97, 0.01);
  EXPECT_NEAR(published_lnmax_epsilon(500, 0.1, 4e-4), 27.82, 0.005);
  EXPECT_NEAR(published_lnmax_epsilon(500, 1.0, 4e-4), 1000.97, 0.01);
  EXPECT_NEAR(published_lnmax_epsilon(1000, 0.4, 8e-5), 649.43, 0.005);
  EXPECT_NEAR(published_lnmax_epsilon(1000, 1.0, 8e-5), 2001.17, 0.01);
}

TEST(PublishedLnmax, FindsTheNoise) {
  const double found = published_lnmax_inverse_scale(1000, 167.82, 4e-4);
  EXPECT_NEAR(found, 0.2, 1e-4);
  EXPECT_LE(published_lnmax_epsilon(1000, found, 4e-4), 167.82);
  EXPECT_THROW(published_lnmax_inverse_scale(1000, 0.5, 4e-4), Error);
}

// P(another class comes out), two classes and a gap of n: that of a difference of two Laplace variables, (2 + gn) / 4
// e^-gn. Here by adding up the two densities.
TEST(PublishedLnmax, FlipProbabilityIsThatOfTwoLaplaceVariables) {
  const double g = 0.7, gap = 3, step = 1e-3;
  double sum = 0;
  for (double x = -40; x < 40; x += step) {
    // The winner's noise is x, and the other's is above x + gap.
    const double other = x + gap > 0 ? 0.5 * std::exp(-g * (x + gap)) : 1 - 0.5 * std::exp(g * (x + gap));
    sum += step * g / 2 * std::exp(-g * std::abs(x)) * other;
  }
  EXPECT_NEAR(lnmax_flip_probability(std::vector<double>{5, 2}, g), sum, 1e-4);
  // Ties: the bound is cut to what it can be.
  EXPECT_DOUBLE_EQ(lnmax_flip_probability(std::vector<double>{1, 1, 1}, g), 2.0 / 3);
}

TEST(PublishedLnmax, AgreementCostsLessAndNeverMore) {
  for (const double g : {0.1, 0.4, 1.0}) {
    for (int order = 1; order <= kMostLnmaxMoments; ++order) {
      double before = 0;
      for (const double q : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.4, 0.9}) {
        const double moment = lnmax_moment_data_dependent(q, g, order);
        EXPECT_GE(moment, before);
        EXPECT_LE(moment, lnmax_moment(g, order));
        before = moment;
      }
      EXPECT_DOUBLE_EQ(lnmax_moment_data_dependent(0, g, order), 0);
      EXPECT_DOUBLE_EQ(before, lnmax_moment(g, order));
    }
  }
  // ((1 - q) ((1 - q) / (1 - e^2g q))^l + q e^2gl) by hand at g = 1/2, l = 1, q = 0.01.
  const double e = std::exp(1.0);
  EXPECT_NEAR(lnmax_moment_data_dependent(0.01, 0.5, 1), std::log(0.99 * 0.99 / (1 - 0.01 * e) + 0.01 * e), 1e-12);
}

TEST(PublishedLnmax, RefusesWhatMakesNoSense) {
  EXPECT_THROW(lnmax_moment(0, 1), Error);
  EXPECT_THROW(lnmax_moment(1, 0), Error);
  EXPECT_THROW(lnmax_flip_probability(std::vector<double>{1}, 1), Error);
  EXPECT_THROW(lnmax_moment_data_dependent(1.5, 1, 1), Error);
  EXPECT_THROW(published_lnmax_epsilon(10, 1, 0), Error);
}

}  // namespace
}  // namespace graphveil::account::published_lnmax_test
