#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/votes.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_votes_test {
namespace {

using bound::Norm, bound::Relation;

constexpr auto kPart = bound::source::TeacherReads::OwnPart;

TEST(GamesVotes, CountsWithGaussianNoise) {
  for (const int64_t count : {1, 2}) {
    expect_likelihood_ratios(
        {.mechanism = account::Gaussian{2}, .bound = bound::vote_counts_bound(2, Norm::L2, kPart), .count = count},
        Relation::Node);
  }
  expect_likelihood_ratios(
      {.mechanism = account::Gaussian{2}, .bound = bound::weighted_vote_counts_bound(3, 2.5, kPart)}, Relation::Record);
}

TEST(GamesVotes, CountsWithDiscreteLaplaceNoise) {
  expect_likelihood_ratios(
      {.mechanism = account::DiscreteLaplace{2}, .bound = bound::vote_counts_bound(2, Norm::L1, kPart)},
      Relation::Node);
}

TEST(GamesVotes, Maxima) {
  for (const double weight : {1.0, 2.5}) {
    expect_likelihood_ratios({.mechanism = account::Gaussian{2}, .bound = bound::vote_maxima_bound(3, weight, kPart)},
                             Relation::Record);
  }
}

// A record's shift has the full length of the bound: scores of N(1, s^2) against N(0, s^2) have mean 1 / 2s^2, with
// deviation 1/s.
TEST(GamesVotes, ThePairIsTheWorst) {
  const auto mean_score = [](const bound::Bound& bound) {
    const mechanism::PlanLine line{account::Event("line", account::Gaussian{0.5}), bound};
    const std::vector<uint8_t> there(4096, 1);
    std::vector<double> scores(there.size(), 0);
    make_game(line, small_setting(Relation::Record))->play(there, Seed::from_number(1), scores);
    double sum = 0;
    for (const double score : scores) sum += score / static_cast<double>(scores.size());
    return sum;
  };
  EXPECT_NEAR(mean_score(bound::vote_counts_bound(3, Norm::L2, kPart)), 2, 0.15);
  EXPECT_NEAR(mean_score(bound::weighted_vote_counts_bound(3, 2.5, kPart)), 2, 0.15);
  EXPECT_NEAR(mean_score(bound::vote_maxima_bound(3, 2.5, kPart)), 2, 0.15);
}

}  // namespace
}  // namespace graphveil::attack::games_votes_test
