#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/class_sums.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_gaussian_test {
namespace {

using bound::Norm, bound::Relation;
using mechanism::Reads;

TEST(GamesGaussian, NeighborSums) {
  for (const Relation relation : bound::all_relations()) {
    expect_likelihood_ratios("sum", {.mechanism = account::Gaussian{2}, .count = 3, .reads = Reads::NeighborSum},
                             relation);
  }
}

TEST(GamesGaussian, Gradients) {
  for (const account::Sampling& sampling :
       {account::Sampling(account::NoSampling{}), account::Sampling(account::Poisson{0.3}),
        account::Sampling(account::PoissonGroup{0.3, 3, 2})}) {
    expect_likelihood_ratios("fit", {.mechanism = account::Gaussian{3}, .sampling = sampling, .count = 2},
                             Relation::Node);
  }
}

TEST(GamesGaussian, ClassSums) {
  expect_likelihood_ratios(
      "class-sums", {.mechanism = account::Gaussian{2}, .count = 2, .sensitivity = bound::class_sums_sensitivity(3)},
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
    const auto game = neighbor_sum_game(0.5, 1, small_setting(relation));
    EXPECT_NEAR(mean_score(*game, 1), 2, 0.15) << bound::name(relation);
    EXPECT_NEAR(mean_score(*game, 0), -2, 0.15) << bound::name(relation);
  }
  const auto sums = class_sums_game(0.5, 1, small_setting(Relation::Node));
  EXPECT_NEAR(mean_score(*sums, 1), 2, 0.15);
}

}  // namespace
}  // namespace graphveil::attack::games_gaussian_test
