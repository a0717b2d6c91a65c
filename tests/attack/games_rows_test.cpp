#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_rows_test {
namespace {

using bound::Norm, bound::Relation;
using mechanism::Reads;

TEST(GamesRows, WithGaussianNoise) {
  expect_likelihood_ratios("rows", {.mechanism = account::Gaussian{2}, .count = 2, .reads = Reads::ClippedRows},
                           Relation::Node);
}

TEST(GamesRows, Picks) {
  expect_likelihood_ratios(
      "rows", {.mechanism = account::Exponential{0.5}, .count = 3, .norm = Norm::LInf, .reads = Reads::ClippedRows},
      Relation::Node);
}

TEST(GamesRows, ValuesWithLaplaceNoise) {
  expect_likelihood_ratios(
      "values", {.mechanism = account::Laplace{2}, .count = 2, .norm = Norm::LInf, .reads = Reads::ClippedRows},
      Relation::Node);
}

}  // namespace
}  // namespace graphveil::attack::games_rows_test
