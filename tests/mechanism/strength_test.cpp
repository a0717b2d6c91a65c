#include "graphveil/mechanism/strength.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/label.h"
#include "graphveil/bound/neighbor_sum.h"
#include "graphveil/bound/votes.h"

namespace graphveil::mechanism::strength_test {
namespace {

using account::Event;
using account::Gaussian;

PlanLine training(double multiplier, int64_t steps, const bound::SampleDraw& draw, double clip) {
  return {Event("training", Gaussian{multiplier}, bound::sampling_of(draw), steps),
          bound::clipped_sum_bound({.max_norms = {clip}}, draw, bound::source::Reach::OwnSample)};
}

double normal(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// Noise is drawn and added up as a training does it, and compared with gradients that all point one way.
TEST(Strength, OfATrainingIsThatOfItsSums) {
  constexpr int64_t kSteps = 25, kSamples = 400, kParameters = 64;
  constexpr double kMultiplier = 30, kClip = 0.3;
  RandomStream random(Seed::from_number(1), "noise");
  double squares = 0;
  for (int64_t i = 0; i < kParameters; ++i) {
    double walked = 0;
    for (int64_t t = 0; t < kSteps; ++t) walked += normal(random) * kMultiplier * kClip;
    squares += walked * walked;
  }
  const double measured = kSteps * kSamples * kClip / std::sqrt(squares);
  EXPECT_NEAR(training_strength(training(kMultiplier, kSteps, {1, 1, 0}, kClip), kSamples, kParameters) / measured, 1,
              0.2);
}

// A batch of a tenth has a tenth of the gradients, and the noise of the line is per clipped gradient.
TEST(Strength, OfATrainingGoesWithRateAndClipDoesNotCount) {
  const double whole = training_strength(training(30, 100, {1, 1, 0}, 1), 1000, 100);
  EXPECT_NEAR(training_strength(training(30, 100, {0.1, 1, 0}, 1), 1000, 100) / whole, 0.1, 1e-6);
  EXPECT_NEAR(training_strength(training(30, 100, {1, 1, 0}, 0.01), 1000, 100) / whole, 1, 1e-6);
  // The noise of full batches covers all samples that a record touches: here 21 of them.
  EXPECT_NEAR(training_strength(training(30, 100, {1, 11, 10}, 1), 1000, 100) / whole, 1.0 / 21, 1e-6);
}

TEST(Strength, OfSumsIsTheMessagesOverTheLengthOfTheNoise) {
  const bound::NeighborSumOptions options{.relation = bound::Relation::Node, .protect_degree = 100};
  const PlanLine line{Event("aggregation", Gaussian{3}), bound::neighbor_sum_bound(options)};
  EXPECT_NEAR(sum_strength(line, 100, 16), 100 / (3 * 10 * 4.0), 0.01);
  EXPECT_THROW(training_strength(line, 100, 16), Error);
}

// Two nodes with 20 neighbors each, of one class and of another: drawn sums, told apart along the line between them.
TEST(Strength, OfContactsIsHowFarTwoClassesStandApart) {
  constexpr double kContacts = 20, kDeviation = 30;
  constexpr int64_t kDraws = 4000, kRounds = 2;
  const bound::NeighborSumOptions options{.relation = bound::Relation::Node, .protect_degree = 100};
  const PlanLine line{Event("labels", Gaussian{kDeviation / 10}, account::NoSampling{}, kRounds),
                      bound::neighbor_sum_bound(options)};
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, kDeviation);
  double sums[2] = {0, 0}, squares[2] = {0, 0};
  for (int64_t i = 0; i < kDraws; ++i) {
    for (int of = 0; of < 2; ++of) {
      double along = 0;  // (entry of class 0 - entry of class 1) / sqrt(2), mean of the rounds
      for (int64_t round = 0; round < kRounds; ++round) {
        const double first = (of == 0 ? kContacts : 0) + noise(random),
                     second = (of == 1 ? kContacts : 0) + noise(random);
        along += (first - second) / std::sqrt(2.0) / kRounds;
      }
      sums[of] += along;
      squares[of] += along * along;
    }
  }
  const double apart = (sums[0] - sums[1]) / kDraws;
  const double deviation = std::sqrt(squares[0] / kDraws - sums[0] * sums[0] / kDraws / kDraws);
  EXPECT_NEAR(contact_strength(line, kContacts) / (apart / deviation), 1, 0.1);
  EXPECT_NEAR(contact_strength(line, 2 * kContacts) / contact_strength(line, kContacts), 2, 1e-9);
  EXPECT_THROW(contact_strength(training(30, 100, {1, 1, 0}, 1), kContacts), Error);
}

TEST(Strength, OfVotesGrowsWithTeachersAndQueries) {
  const auto votes = [](int64_t queries, double multiplier) {
    return PlanLine{Event("votes", Gaussian{multiplier}),
                    bound::vote_counts_bound(queries, bound::Norm::L2, bound::source::TeacherReads::OwnRecords)};
  };
  // One query moves two counts: the noise is multiplier sqrt(2) on each, and twice the multiplier on a difference.
  EXPECT_NEAR(vote_strength(votes(1, 5), 100, 1), 10, 0.01);
  EXPECT_NEAR(vote_strength(votes(1, 5), 200, 1), 20, 0.02);
  EXPECT_NEAR(vote_strength(votes(1, 5), 100, 4), 5, 0.01);
  // The same budget for more queries: the noise grows as their root, and they make up for it together.
  EXPECT_NEAR(vote_strength(votes(9, 5), 100, 1), 10, 0.01);
}

// Drawn responses: the mean of (right) - (one given wrong label), over its deviation.
TEST(Strength, OfLabelsIsTheLeadOfTheRightOne) {
  constexpr double kLogOdds = 1.5;
  constexpr int64_t kClasses = 5, kDraws = 200000;
  const double right = std::exp(kLogOdds) / (std::exp(kLogOdds) + kClasses - 1), wrong = (1 - right) / (kClasses - 1);
  RandomStream random(Seed::from_number(2), "labels");
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    const double x = u < right ? 1 : u < right + wrong ? -1 : 0;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws, deviation = std::sqrt(squares / kDraws - mean * mean);
  const PlanLine line{Event("labels", account::RandomizedResponse{kLogOdds, kClasses}, account::NoSampling{}, 500),
                      bound::teacher_labels_bound(bound::source::TeacherReads::OwnRecords)};
  EXPECT_NEAR(vote_strength(line, 1, kClasses) / (mean / deviation * 10), 1, 0.02);
}

TEST(Strength, IsUnlimitedWithoutNoise) {
  const double unlimited = std::numeric_limits<double>::infinity();
  EXPECT_EQ(training_strength(training(0, 10, {1, 1, 0}, 1), 100, 10), unlimited);
  const PlanLine sums{Event("aggregation", Gaussian{0}),
                      bound::neighbor_sum_bound({.relation = bound::Relation::Edge})};
  EXPECT_EQ(sum_strength(sums, 100, 16), unlimited);
  EXPECT_THROW(vote_strength(sums, 10, 2), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::strength_test
