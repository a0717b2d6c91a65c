#include "graphveil/method/dpgpl/teacher_epsilon.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/published_pate.h"

namespace graphveil::method::teacher_epsilon_test {
namespace {

// Three teachers, two queries: all for class 0, and one each.
const bound::Votes kVotes = {{0, 0}, {0, 1}, {0, bound::kNoVote}};
constexpr double kWeights[] = {2, 1, 0.5};

TEST(TeacherEpsilon, FlipsAreThoseOfTheWeightedCounts) {
  const std::vector<double> flips = log_flips(kVotes, kWeights, 2, 1.5);
  ASSERT_EQ(flips.size(), 2u);
  // Counts 3.5 against 0, and 2 against 1.
  EXPECT_NEAR(flips[0], std::log(std::erfc(3.5 / 3) / 2), 1e-9);
  EXPECT_NEAR(flips[1], std::log(std::erfc(1.0 / 3) / 2), 1e-9);
}

TEST(TeacherEpsilon, GrowsWithTheWeightAndStaysBelowTheDataIndependentOne) {
  const std::vector<double> flips(50, std::log(0.4));
  double before = 0;
  for (const double weight : {0.5, 1.0, 2.0}) {
    const double epsilon = teacher_epsilon(flips, weight, 20, 1e-4);
    EXPECT_GT(epsilon, before);
    // The divergence is at most that of sensitivity weight * sqrt 2.
    EXPECT_LE(epsilon, account::published_dpgpl_epsilon(50, 20, weight * std::sqrt(2.0), 1e-4) * 1.001);
    before = epsilon;
  }
  EXPECT_EQ(teacher_epsilon({}, 1, 20, 1e-4), 0);
}

TEST(TeacherEpsilon, QuantilesGoFromTheLightestToTheHeaviest) {
  const std::vector<double> flips(50, std::log(0.4));
  const auto spread = spread_over_teachers(flips, kWeights, 20, 1e-4);
  ASSERT_EQ(spread.size(), 11u);
  EXPECT_NEAR(spread.begin()->second, teacher_epsilon(flips, 0.5, 20, 1e-4), 1e-12);
  EXPECT_NEAR(spread.at("data-dependent epsilon of teachers, quantile 0.5"), teacher_epsilon(flips, 1, 20, 1e-4),
              1e-12);
  EXPECT_NEAR(spread.rbegin()->second, teacher_epsilon(flips, 2, 20, 1e-4), 1e-12);
}

TEST(TeacherEpsilon, StopsWhereTheHeaviestTeacherReachesItsLimit) {
  const std::vector<double> flips(50, std::log(0.4));
  const size_t answered = answered_within(flips, 2, 20, 1e-4, 1);
  ASSERT_GT(answered, 0u);
  ASSERT_LT(answered, 50u);
  EXPECT_LE(teacher_epsilon(std::span(flips).first(answered), 2, 20, 1e-4), 1);
  EXPECT_GT(teacher_epsilon(std::span(flips).first(answered + 1), 2, 20, 1e-4), 1);
  EXPECT_EQ(answered_within(flips, 2, 20, 1e-4, 1e6), 50u);
}

}  // namespace
}  // namespace graphveil::method::teacher_epsilon_test
