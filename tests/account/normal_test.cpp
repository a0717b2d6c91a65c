#include "graphveil/account/normal.h"

#include <gtest/gtest.h>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace graphveil::account::normal_test {
namespace {

TEST(Normal, CdfMatchesBoostInBothTails) {
  const boost::math::normal_distribution<double> normal;
  for (double x : {-36.0, -20.0, -8.5, -7.9, -3.0, -0.1, 0.0, 0.4, 2.0, 5.9, 6.1, 8.0}) {
    const double expected = boost::math::cdf(normal, x);
    // Rounding the argument moves the logarithm by x^2 units in the last place.
    EXPECT_NEAR(normal_cdf(x) / expected, 1, 1e-15 + 3e-16 * x * x) << x;
    const double expected_log =
        x < 0 ? std::log(expected) : std::log1p(-boost::math::cdf(boost::math::complement(normal, x)));
    EXPECT_NEAR(log_normal_cdf(x), expected_log, 1e-13 * std::fabs(expected_log)) << x;
  }
}

TEST(Normal, LogCdfGoesOnWhereTheCdfIsZero) {
  EXPECT_EQ(normal_cdf(-60), 0);
  // ln Phi(-x) = -x^2/2 - ln(x sqrt(2 pi)) + ln(1 - 1/x^2 + 3/x^4 - ...).
  const double x = 1000;
  EXPECT_NEAR(log_normal_cdf(-x), -x * x / 2 - std::log(x * std::sqrt(2 * M_PI)) - 1 / (x * x), 1e-9);
}

TEST(Normal, MillsRatioIsSmoothAcrossItsTwoForms) {
  const boost::math::normal_distribution<double> normal;
  for (double x : {-5.0, 0.0, 1.0, 7.999, 8.001, 20.0}) {
    const double expected = boost::math::cdf(boost::math::complement(normal, x)) / boost::math::pdf(normal, x);
    EXPECT_NEAR(mills_ratio(x) / expected, 1, 1e-13) << x;
  }
}

TEST(Normal, SumsInLogSpace) {
  const double zero = -std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(log_add(std::log(2.0), std::log(3.0)), std::log(5.0));
  EXPECT_DOUBLE_EQ(log_add(1000.0, 1000.0), 1000 + std::log(2.0));
  EXPECT_EQ(log_add(zero, 3.0), 3.0);
  EXPECT_EQ(log_add(zero, zero), zero);
  EXPECT_DOUBLE_EQ(log_sub(std::log(5.0), std::log(3.0)), std::log(2.0));
  EXPECT_EQ(log_sub(1.0, 1.0), zero);
  EXPECT_EQ(log_sub(1.0, zero), 1.0);
}

TEST(Normal, LogGammaAndBinomials) {
  for (double x : {0.5, 1.0, 3.7, 170.2, 1e6})
    EXPECT_NEAR(log_gamma(x), boost::math::lgamma(x), 1e-14 * std::fabs(log_gamma(x)));
  EXPECT_NEAR(log_choose(10, 3), std::log(120.0), 1e-14);
}

}  // namespace
}  // namespace graphveil::account::normal_test
