#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_labels_test {
namespace {

using bound::Norm, bound::Relation;
using mechanism::Reads;

TEST(GamesLabels, Labels) {
  expect_likelihood_ratios(
      "labels", {.mechanism = account::RandomizedResponse{1, 3}, .count = 2, .norm = Norm::Hamming}, Relation::Node);
  expect_likelihood_ratios("labels",
                           {.mechanism = account::RandomizedResponse{1, 3},
                            .sampling = account::Poisson{0.4},
                            .count = 3,
                            .norm = Norm::Hamming},
                           Relation::Node);
}

TEST(GamesLabels, CellsOfTheTableOfEdges) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    expect_likelihood_ratios(
        "edges", {.mechanism = account::RandomizedResponse{1, 2}, .norm = Norm::Hamming, .reads = Reads::Edges},
        relation);
  }
}

}  // namespace
}  // namespace graphveil::attack::games_labels_test
