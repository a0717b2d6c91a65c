#include "graphveil/attack/allowed_roc.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::attack::allowed_roc_test {
namespace {

TEST(AllowedTpr, IsTheCurveOfThePaper) {
  EXPECT_DOUBLE_EQ(allowed_tpr(0, 1, 0.01), 0.01);
  EXPECT_DOUBLE_EQ(allowed_tpr(0.1, std::log(2.0), 0), 0.2);
  EXPECT_DOUBLE_EQ(allowed_tpr(0.5, std::log(2.0), 0), 0.75);
  EXPECT_DOUBLE_EQ(allowed_tpr(1, 3, 0.1), 1);
  EXPECT_DOUBLE_EQ(allowed_tpr(0.37, 0, 0), 0.37);  // nothing but guessing
}

// Randomized response is as good as a test can be: answers truly with probability e^eps / (1 + e^eps).
TEST(AllowedTpr, IsReachedByRandomizedResponse) {
  const double epsilon = 1.3, truth = std::exp(epsilon) / (1 + std::exp(epsilon));
  EXPECT_NEAR(allowed_tpr(1 - truth, epsilon, 0), truth, 1e-12);
}

TEST(AllowedAuc, IsTheAreaBelowTheCurve) {
  for (const double epsilon : {0.0, 0.1, 1.0, 4.0, 8.0}) {
    for (const double delta : {0.0, 1e-4, 0.05, 0.5}) {
      double area = 0;
      const int steps = 400000;
      for (int i = 0; i < steps; ++i) area += allowed_tpr((i + 0.5) / steps, epsilon, delta) / steps;
      EXPECT_NEAR(allowed_auc(epsilon, delta), area, 1e-6) << epsilon << " " << delta;
    }
  }
  EXPECT_DOUBLE_EQ(allowed_auc(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(allowed_auc(1e6, 0), 1);
  EXPECT_DOUBLE_EQ(allowed_auc(1, 1), 1);
  EXPECT_THROW(allowed_auc(-1, 0), Error);
  EXPECT_THROW(allowed_tpr(2, 1, 0), Error);
}

}  // namespace
}  // namespace graphveil::attack::allowed_roc_test
