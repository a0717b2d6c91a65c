#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_counts_test {
namespace {

using bound::Norm, bound::Relation;
using mechanism::Reads;

TEST(GamesCounts, NeighborsByGroup) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    expect_likelihood_ratios(
        "counts", {.mechanism = account::DiscreteLaplace{2}, .count = 2, .norm = Norm::L1, .reads = Reads::NeighborSum},
        relation);
    expect_likelihood_ratios(
        "counts", {.mechanism = account::DiscreteGaussian{2}, .count = 2, .reads = Reads::NeighborSum}, relation);
  }
}

TEST(GamesCounts, Edges) {
  expect_likelihood_ratios(
      "density", {.mechanism = account::DiscreteLaplace{2}, .count = 2, .norm = Norm::L1, .reads = Reads::Edges},
      Relation::UndirectedEdge);
}

TEST(GamesCounts, Votes) {
  expect_likelihood_ratios("votes", {.mechanism = account::Gaussian{2}, .sensitivity = 2}, Relation::Node);
  expect_likelihood_ratios("votes", {.mechanism = account::DiscreteLaplace{2}, .sensitivity = 4, .norm = Norm::L1},
                           Relation::Node);
}

}  // namespace
}  // namespace graphveil::attack::games_counts_test
