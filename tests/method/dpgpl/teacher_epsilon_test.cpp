#include "graphveil/method/dpgpl/teacher_epsilon.h"

#include <cmath>
#include <vector>

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

// Table 1 of the paper says epsilon for 50 queries. Were all its answers unanimous and its checks free, more than so
// many answers would cost more than that, by its own equation and by GNMax's bound for these votes (computed apart, on
// orders of another grid: docs/methods/dp-gpl.md).
TEST(TeacherEpsilon, ThePapersEpsilonIsThatOfFewAnswers) {
  struct Row {
    int classes;
    double sigma, epsilon;
    int64_t by_equation, by_votes;
  };
  for (const Row& row : {Row{7, 100, 0.2226, 27, 13}, Row{7, 100, 0.2276, 29, 14}, Row{6, 50, 0.2047, 5, 3},
                         Row{6, 50, 0.3627, 18, 17}, Row{7, 20, 0.2025, 0, 6}, Row{6, 20, 0.2001, 0, 5}}) {
    constexpr double kDelta = 1.5e-4, kRounding = 5e-4;
    const double flip = std::log((row.classes - 1) * std::erfc(200 / (2 * row.sigma)) / 2);
    const auto by_votes = [&](int64_t answers) {
      return teacher_epsilon(std::vector<double>(static_cast<size_t>(answers), flip), 1, row.sigma, kDelta);
    };
    EXPECT_LE(by_votes(row.by_votes), row.epsilon + kRounding) << row.sigma << " " << row.epsilon;
    EXPECT_GT(by_votes(row.by_votes + 2), row.epsilon) << row.sigma << " " << row.epsilon;
    EXPECT_GT(account::published_dpgpl_epsilon(row.by_equation + 1, row.sigma, 1, kDelta), row.epsilon);
    if (row.by_equation > 0) {
      EXPECT_LE(account::published_dpgpl_epsilon(row.by_equation, row.sigma, 1, kDelta), row.epsilon + kRounding);
    }
  }
}

}  // namespace
}  // namespace graphveil::method::teacher_epsilon_test
