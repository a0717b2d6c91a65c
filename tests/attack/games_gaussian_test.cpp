#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/correct_count.h"
#include "graphveil/bound/neighbor_sum.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_gaussian_test {
namespace {

using bound::Relation;

TEST(GamesGaussian, NeighborSums) {
  for (const Relation relation : bound::all_relations()) {
    const bound::Bound bound = bound::neighbor_sum_bound({.relation = relation, .protect_degree = 3});
    expect_likelihood_ratios({.mechanism = account::Gaussian{2}, .bound = bound, .count = 3}, relation);
  }
}

TEST(GamesGaussian, Gradients) {
  for (const bound::SampleDraw& draw : {bound::SampleDraw{}, bound::SampleDraw{0.3}, bound::SampleDraw{0.3, 3, 2}}) {
    expect_likelihood_ratios({.mechanism = account::Gaussian{3},
                              .bound = bound::clipped_sum_bound({}, draw, bound::source::Reach::OneHop),
                              .sampling = bound::sampling_of(draw),
                              .count = 2},
                             Relation::Node);
  }
}

TEST(GamesGaussian, ClassSums) {
  expect_likelihood_ratios({.mechanism = account::Gaussian{2}, .bound = bound::class_sums_bound(3), .count = 2},
                           Relation::Node);
}

TEST(GamesGaussian, RightPredictions) {
  expect_likelihood_ratios({.mechanism = account::Gaussian{2}, .bound = bound::correct_count_bound(), .count = 2},
                           Relation::Node);
}

// A record's shift has the full length of the bound: one unit in the measure of the game.
TEST(GamesGaussian, ThePairIsTheWorst) {
  const auto mean_score = [](const Game& game, uint8_t side) {
    const std::vector<uint8_t> there(4096, side);
    std::vector<double> scores(there.size(), 0);
    game.play(there, Seed::from_number(1), scores);
    double sum = 0;
    for (const double score : scores) sum += score / static_cast<double>(scores.size());
    return sum;
  };
  // Scores of N(1, s^2) against N(0, s^2) have mean 1 / 2s^2, with deviation 1/s.
  for (const Relation relation : bound::all_relations()) {
    const auto game = neighbor_sum_game(0.5, 1, 3, small_setting(relation));
    EXPECT_NEAR(mean_score(*game, 1), 2, 0.15) << bound::name(relation);
    EXPECT_NEAR(mean_score(*game, 0), -2, 0.15) << bound::name(relation);
  }
  const auto sums = class_sums_game(0.5, 1, 3, small_setting(Relation::Node));
  EXPECT_NEAR(mean_score(*sums, 1), 2, 0.15);
  const auto right = score_game(0.5, 1, small_setting(Relation::Node));
  EXPECT_NEAR(mean_score(*right, 1), 2, 0.15);
  EXPECT_NEAR(mean_score(*right, 0), -2, 0.15);
}

}  // namespace
}  // namespace graphveil::attack::games_gaussian_test
