#include "graphveil/account/gdp.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graphveil/account/normal.h"

namespace graphveil::account::gdp_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Gdp, CurveIsTheTextbookFormulaWhereThatIsAccurate) {
  for (double mu : {0.1, 0.5, 1.0, 3.0, 12.0}) {
    for (double e : {0.0, 0.1, 1.0, 5.0}) {
      const double textbook = normal_cdf(-e / mu + mu / 2) - std::exp(e) * normal_cdf(-e / mu - mu / 2);
      if (textbook > 1e-4) {
        EXPECT_NEAR(gdp_delta(mu, e) / textbook, 1, 1e-10) << mu << " " << e;
      }
    }
  }
}

TEST(Gdp, TinyMu) {
  // At epsilon = 0: 2 Phi(mu/2) - 1 = mu / sqrt(2 pi) + O(mu^3).
  EXPECT_NEAR(gdp_delta(1e-6, 0) / (1e-6 / std::sqrt(2 * M_PI)), 1, 1e-7);
  EXPECT_GE(gdp_delta(1e-6, 0), 1e-6 / std::sqrt(2 * M_PI) * (1 - 1e-13));
}

TEST(Gdp, EpsilonAndMuInvertTheCurve) {
  for (double mu : {1e-5, 0.01, 0.3, 1.0, 7.0, 50.0, 1000.0}) {
    for (double delta : {1e-300, 1e-12, 1e-5, 0.1, 0.9}) {
      const double e = gdp_epsilon(mu, delta);
      EXPECT_LE(gdp_delta(mu, e), delta * (1 + 1e-9));
      if (e > 0) {
        EXPECT_GT(gdp_delta(mu, e * (1 - 1e-9)), delta * (1 - 1e-4));
        EXPECT_NEAR(gdp_mu(e, delta) / mu, 1, 1e-6) << mu << " " << delta;
        EXPECT_LE(gdp_epsilon(gdp_mu(e, delta), delta), e * (1 + 1e-9));
      }
    }
  }
}

TEST(Gdp, Ends) {
  EXPECT_EQ(gdp_epsilon(0, 1e-5), 0);
  EXPECT_EQ(gdp_epsilon(0, 0), 0);
  EXPECT_EQ(gdp_epsilon(1, 0), kInf);
  EXPECT_EQ(gdp_epsilon(1, 1), 0);
  EXPECT_EQ(gdp_epsilon(kInf, 0.5), kInf);
  EXPECT_EQ(gdp_delta(0, 0), 0);
  EXPECT_EQ(gdp_delta(kInf, 3), 1);
  EXPECT_EQ(gdp_delta(1, kInf), 0);
}

}  // namespace
}  // namespace graphveil::account::gdp_test
