#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/neighbor_counts.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_counts_test {
namespace {

using bound::Norm, bound::Relation;

TEST(GamesCounts, NeighborsByGroup) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    expect_likelihood_ratios(
        {.mechanism = account::DiscreteLaplace{2}, .bound = bound::neighbor_counts_bound(relation), .count = 2},
        relation);
    expect_likelihood_ratios({.mechanism = account::DiscreteGaussian{2},
                              .bound = bound::neighbor_counts_bound(relation, Norm::L2),
                              .count = 2},
                             relation);
  }
}

TEST(GamesCounts, Edges) {
  expect_likelihood_ratios({.mechanism = account::DiscreteLaplace{2}, .bound = bound::edge_count_bound(), .count = 2},
                           Relation::UndirectedEdge);
}

}  // namespace
}  // namespace graphveil::attack::games_counts_test
