#include "graphveil/attack/clopper_pearson.h"

#include <gtest/gtest.h>
#include <cmath>

#include <boost/math/distributions/binomial.hpp>

namespace graphveil::attack::clopper_pearson_test {
namespace {

using boost::math::binomial_distribution;

TEST(ClopperPearson, AgreesWithBoost) {
  for (const int64_t trials : {1, 10, 137, 5000, 2'000'000}) {
    for (const int64_t successes : {int64_t{0}, int64_t{1}, trials / 100, trials / 3, trials - 1, trials}) {
      for (const double error : {0.05, 0.0005}) {
        const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
        const double low = binomial_distribution<>::find_lower_bound_on_p(n, k, error);
        const double high = binomial_distribution<>::find_upper_bound_on_p(n, k, error);
        EXPECT_NEAR(probability_low(successes, trials, error), low, 1e-7 * (low + 1e-12)) << successes << "/" << trials;
        EXPECT_NEAR(probability_high(successes, trials, error), high, 1e-7 * high) << successes << "/" << trials;
      }
    }
  }
}

TEST(ClopperPearson, WithoutASuccess) {
  EXPECT_EQ(probability_low(0, 100, 0.05), 0);
  EXPECT_NEAR(probability_high(0, 100, 0.05), 1 - std::pow(0.05, 0.01), 1e-12);
  EXPECT_EQ(probability_high(100, 100, 0.05), 1);
}

}  // namespace
}  // namespace graphveil::attack::clopper_pearson_test
