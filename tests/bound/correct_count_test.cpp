#include "graphveil/bound/correct_count.h"

#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/dataset.h"
#include "tests/mechanism/access.h"

namespace graphveil::bound::correct_count_test {
namespace {

using mechanism::opened;

TEST(CorrectCount, CountsRightPredictionsOfTheseNodes) {
  const std::vector<int32_t> predictions{0, 1, 2, 1, 0}, labels{0, 1, 1, graph::kUnlabeled, 0}, nodes{0, 1, 2, 3};
  auto count = correct_count(predictions, labels, nodes, Relation::Node, 0x1p-10);
  EXPECT_EQ(count.sensitivity().amount, 1);
  EXPECT_EQ(count.sensitivity().norm, Norm::L2);
  EXPECT_EQ(opened(std::move(count), 0x1p-10).values, std::vector<double>{2});
}

// A node that is blank has no label, and its prediction may be anything.
TEST(CorrectCount, OneNodeMovesItByAtMostOne) {
  const std::vector<int32_t> predictions{0, 1, 2, 1, 0}, labels{0, 1, 1, 2, 0}, nodes{0, 1, 2, 3, 4};
  const double all = opened(correct_count(predictions, labels, nodes, Relation::Record, 1), 1).values[0];
  for (size_t w = 0; w < labels.size(); ++w) {
    for (const int32_t other : {0, 1, 2}) {
      std::vector<int32_t> blank = labels, changed = predictions;
      blank[w] = graph::kUnlabeled;
      changed[w] = other;
      EXPECT_LE(std::abs(opened(correct_count(changed, blank, nodes, Relation::Record, 1), 1).values[0] - all), 1);
    }
  }
}

TEST(CorrectCount, CoarseGridsRoundTowardZero) {
  const std::vector<int32_t> predictions{0, 0}, labels{0, 0}, nodes{0, 1};
  EXPECT_EQ(opened(correct_count(predictions, labels, nodes, Relation::Node, 4), 4).values, std::vector<double>{0});
}

TEST(CorrectCount, RefusesWhatDoesNotFit) {
  const std::vector<int32_t> predictions{0, 1}, labels{0, 1}, twice{1, 1}, outside{2};
  EXPECT_THROW(correct_count(predictions, {}, {}, Relation::Node, 1), Error);
  EXPECT_THROW(correct_count(predictions, labels, twice, Relation::Node, 1), Error);
  EXPECT_THROW(correct_count(predictions, labels, outside, Relation::Node, 1), Error);
  EXPECT_THROW(correct_count(predictions, labels, {}, Relation::Node, 0.3), Error);
  EXPECT_THROW(correct_count(predictions, labels, {}, Relation::Node, 0x1p-40), Error);
  EXPECT_THROW(correct_count(predictions, labels, {}, Relation::Edge, 1), Error);
}

}  // namespace
}  // namespace graphveil::bound::correct_count_test
