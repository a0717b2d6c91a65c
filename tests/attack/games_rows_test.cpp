#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/pagerank_rows.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_rows_test {
namespace {

using bound::Relation;

TEST(GamesRows, WithGaussianNoise) {
  expect_likelihood_ratios({.mechanism = account::Gaussian{2}, .bound = bound::pagerank_rows_bound(0.2, 1), .count = 2},
                           Relation::Node);
}

TEST(GamesRows, Picks) {
  expect_likelihood_ratios(
      {.mechanism = account::Exponential{0.5}, .bound = bound::pagerank_picks_bound(0.05), .count = 3}, Relation::Node);
}

TEST(GamesRows, ValuesWithLaplaceNoise) {
  expect_likelihood_ratios({.mechanism = account::Laplace{2}, .bound = bound::pagerank_values_bound(0.05), .count = 2},
                           Relation::Node);
}

}  // namespace
}  // namespace graphveil::attack::games_rows_test
