#include "graphveil/attack/games.h"

#include <gtest/gtest.h>

#include "graphveil/bound/edge_cells.h"
#include "graphveil/bound/label.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::games_labels_test {
namespace {

using bound::Relation;

const bound::Bound kLabels = bound::teacher_labels_bound(bound::source::TeacherReads::OwnRecords);

TEST(GamesLabels, Labels) {
  expect_likelihood_ratios({.mechanism = account::RandomizedResponse{1, 3}, .bound = kLabels, .count = 2},
                           Relation::Node);
  expect_likelihood_ratios(
      {.mechanism = account::RandomizedResponse{1, 3}, .bound = kLabels, .sampling = account::Poisson{0.4}, .count = 3},
      Relation::Node);
}

TEST(GamesLabels, CellsOfTheTableOfEdges) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    expect_likelihood_ratios({.mechanism = account::RandomizedResponse{1, 2}, .bound = bound::edge_cells_bound()},
                             relation);
  }
}

}  // namespace
}  // namespace graphveil::attack::games_labels_test
