#include "graphveil/method/lap/training_nodes.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "graphveil/graph/own_rows.h"
#include "tests/method/tiny_task.h"
#include "tests/ranks.h"

namespace graphveil::method::training_nodes_test {
namespace {

Task tiny() { return tiny_task(bound::Relation::Edge); }

TEST(TrainingNodes, EveryNodeIsHeldOutOnceAndFittedOnOtherwise) {
  const Task task = tiny();
  const TrainingNodes training(task);
  ASSERT_EQ(std::ssize(training.folds()), TrainingNodes::kFolds);
  EXPECT_EQ(training.count(), std::ssize(labeled(task)));
  std::set<int32_t> held_out;
  for (const Fold& fold : training.folds()) {
    EXPECT_EQ(std::ssize(fold.fit) + std::ssize(fold.held_out), training.count());
    for (const int32_t v : fold.held_out) {
      EXPECT_TRUE(held_out.insert(v).second);
      EXPECT_EQ(std::ranges::find(fold.fit, v), fold.fit.end());
    }
  }
  EXPECT_EQ(std::ssize(held_out), training.count());
}

TEST(TrainingNodes, TooFewAreNotHeldOut) {
  Task task = tiny();
  graph::Split few = tiny_split();
  few.train.resize(TrainingNodes::kFolds - 1);
  const Task small{.data = task.data, .split = few, .relation = task.relation, .seed = task.seed};
  EXPECT_TRUE(TrainingNodes(small).folds().empty());
}

// What ranks have of a fold, one after the other, is what one process has: its features, its labels, its order.
TEST(TrainingNodes, RanksHaveTheOrderOfOneProcess) {
  const Task task = tiny();
  const TrainingNodes alone(task);
  for (const int size : {2, 3}) {
    std::vector<std::vector<std::vector<int32_t>>> labels(static_cast<size_t>(size)), held_out(labels);
    tests::on_ranks(size, [&](Ranks& ranks) {
      std::vector<int64_t> cuts;
      for (int64_t r = 0; r <= size; ++r) cuts.push_back(task.data.nodes() * r / size);
      const graph::Dataset own = graph::own_rows(ranks, task.data, cuts);
      const int64_t begin = own.graph.partition()->begin;
      const graph::Split split{graph::own_nodes(task.split.train, begin, own.graph.partition()->end), {}, {}};
      const Task mine{.data = own, .split = split, .relation = task.relation, .seed = task.seed};
      const TrainingNodes training(mine);
      EXPECT_EQ(training.count(), alone.count());
      for (const Fold& fold : training.folds()) {
        const auto me = static_cast<size_t>(ranks.rank());
        std::vector<int32_t>& of_fold = labels[me].emplace_back();
        for (const int32_t row : fold.fit) of_fold.push_back(training.drawn_data().labels[row]);
        std::vector<int32_t>& out = held_out[me].emplace_back();
        for (const int32_t v : fold.held_out) out.push_back(static_cast<int32_t>(v + begin));
      }
    });
    for (size_t f = 0; f < alone.folds().size(); ++f) {
      std::vector<int32_t> all_labels, all_held_out, expected;
      for (size_t r = 0; r < labels.size(); ++r) {
        all_labels.insert(all_labels.end(), labels[r][f].begin(), labels[r][f].end());
        all_held_out.insert(all_held_out.end(), held_out[r][f].begin(), held_out[r][f].end());
      }
      for (const int32_t v : alone.folds()[f].fit) expected.push_back(task.data.labels[v]);
      EXPECT_EQ(all_labels, expected);
      std::vector<int32_t> wanted = alone.folds()[f].held_out;
      std::ranges::sort(wanted);
      std::ranges::sort(all_held_out);
      EXPECT_EQ(all_held_out, wanted);
    }
  }
}

}  // namespace
}  // namespace graphveil::method::training_nodes_test
