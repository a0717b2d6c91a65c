#include "graphveil/method/lap/counts.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::counts_test {
namespace {

using bound::Relation;

struct Ran {
  Output output;
  std::vector<mechanism::Seen> seen;
};

Ran ran(const Task& task, double noise, const CountOptions& options) {
  Release release = any_release(task.relation, counts_plan(noise, task.relation, options), 1);
  mechanism::Watcher watcher;
  mechanism::ObserverAccess::watch(release, watcher);
  Output output = run_counts(task, release, options);
  EXPECT_TRUE(release.complete());
  return {std::move(output), std::move(watcher.seen)};
}

TEST(LapCounts, ArePureWhateverTheNumberOfRounds) {
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    for (const int64_t rounds : {0, 1, 2, 3}) {
      for (const double noise : {0.1, 1.0, 4.0}) {
        const Plan plan = counts_plan(noise, relation, {.rounds = rounds});
        EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 0), 1 / noise, 1e-6 / noise);
        if (rounds > 0) {
          EXPECT_EQ(plan.lines().size(), static_cast<size_t>(rounds));
        }
        EXPECT_TRUE(counts_planned(plan));
      }
    }
  }
}

TEST(LapCounts, ASecondRoundWhereAnEdgeMayCostMuch) {
  EXPECT_EQ(counts_plan(1, Relation::Edge, {}).lines().size(), 1u);
  EXPECT_EQ(counts_plan(0.25, Relation::Edge, {}).lines().size(), 2u);
  EXPECT_EQ(counts_plan(0.25, Relation::UndirectedEdge, {}).lines().size(), 1u);
  EXPECT_EQ(counts_plan(0.1, Relation::UndirectedEdge, {}).lines().size(), 2u);
  // Already at epsilon 1 on a graph declared dense.
  EXPECT_EQ(counts_plan(1, Relation::Edge, {.mean_degree = 60}).lines().size(), 2u);
  EXPECT_EQ(counts_plan(1, Relation::UndirectedEdge, {.mean_degree = 60}).lines().size(), 1u);
  EXPECT_EQ(counts_plan(1, Relation::Edge, {.mean_degree = 30}).lines().size(), 1u);
}

// Every neighbor is in one cell of its class: its own where it trains, else the one guessed from the features.
TEST(LapCounts, CountTrainingLabelsAsTheyAre) {
  const Task task = tiny_task(Relation::Edge);
  const Ran run = ran(task, 1, {.softmax = {.steps = 3}});
  ASSERT_EQ(run.seen.size(), 1u);
  std::vector<bool> training(static_cast<size_t>(task.data.nodes()));
  for (const int32_t v : task.split.train) training[static_cast<size_t>(v)] = true;
  for (int64_t v = 0; v < task.data.nodes(); ++v) {
    std::vector<double> at_least(static_cast<size_t>(task.data.classes));
    for (const int32_t u : task.data.graph.in(v)) {
      if (training[static_cast<size_t>(u)]) ++at_least[static_cast<size_t>(task.data.labels[u])];
    }
    double sum = 0;
    for (int64_t c = 0; c < task.data.classes; ++c) {
      EXPECT_GE(run.seen[0](v, c), at_least[static_cast<size_t>(c)]);
      sum += run.seen[0](v, c);
    }
    EXPECT_EQ(sum, static_cast<double>(task.data.graph.in_degree(v)));
  }
}

TEST(LapCounts, BucketsCountEveryNeighborOnce) {
  const Task task = tiny_task(Relation::UndirectedEdge);
  const Ran run = ran(task, 0.1, {.softmax = {.steps = 3}, .rounds = 2, .neighbors = Neighbors::Differ, .buckets = 16});
  ASSERT_EQ(run.seen.size(), 2u);
  ASSERT_EQ(run.seen[1].values.size(), static_cast<size_t>(task.data.nodes() * 16));
  for (int64_t v = 0; v < task.data.nodes(); ++v) {
    double sum = 0;
    for (int64_t b = 0; b < 16; ++b) sum += run.seen[1](v, b);
    EXPECT_EQ(sum, static_cast<double>(task.data.graph.in_degree(v)));
  }
}

// Test and validation labels are read by nobody: changing them changes nothing.
TEST(LapCounts, OnlyTrainingLabelsAreRead) {
  graph::Dataset other = tiny_data();
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  for (const int32_t v : tiny_split().test) labels[static_cast<size_t>(v)] = 0;
  for (const int32_t v : tiny_split().val) labels[static_cast<size_t>(v)] = graph::kUnlabeled;
  other.labels = SharedArray<int32_t>(std::move(labels));
  const auto predictions = [](const graph::Dataset& data, Neighbors neighbors) {
    const Task task{.data = data, .split = tiny_split(), .relation = Relation::Edge, .seed = Seed::from_number(3)};
    return values(ran(task, 0.2, {.softmax = {.steps = 3}, .neighbors = neighbors, .buckets = 8}).output.predictions)
        .clone();
  };
  for (const Neighbors neighbors : {Neighbors::Alike, Neighbors::Differ}) {
    EXPECT_TRUE(
        std::ranges::equal(predictions(tiny_data(), neighbors).values(), predictions(other, neighbors).values()));
  }
}

TEST(LapCounts, FewLabelsAndNoneAtAll) {
  for (const size_t labels : {size_t{1}, size_t{5}}) {
    graph::Split few = tiny_split();
    few.train.resize(labels);
    const Task task{.data = tiny_data(), .split = few, .relation = Relation::Edge, .seed = Seed::from_number(3)};
    EXPECT_NO_THROW(ran(task, 0.5, {.softmax = {.steps = 3}})) << labels;
  }
  graph::Split none;
  const Task task{.data = tiny_data(), .split = none, .relation = Relation::Edge, .seed = Seed::from_number(3)};
  EXPECT_THROW(ran(task, 0.5, {.softmax = {.steps = 3}}), Error) << "nothing to learn from";
}

// Edges are read through the releases alone: given the same releases, all comes out the same to the bit on a graph that
// has none. Labels are many here, so that every classifier takes part.
TEST(LapCounts, GivenTheReleasesNoEdgeIsRead) {
  ASSERT_GE(tiny_split().train.size(), static_cast<size_t>(50 * tiny_data().classes));
  graph::Dataset empty = tiny_data();
  empty.graph = graph::Graph::from_edges(empty.nodes(), {}, {});
  for (const CountOptions& options :
       {CountOptions{.softmax = {.steps = 3}, .rounds = 1},
        CountOptions{.softmax = {.steps = 3}, .rounds = 2, .neighbors = Neighbors::Alike},
        CountOptions{.softmax = {.steps = 3}, .rounds = 2, .neighbors = Neighbors::Differ},
        CountOptions{.softmax = {.steps = 3}, .rounds = 3}}) {
    const Plan plan = counts_plan(0.5, Relation::Edge, options);
    mechanism::Recording recording;
    Release release = any_release(Relation::Edge, plan);
    release.record(recording);
    const Output recorded = run_counts(tiny_task(Relation::Edge), release, options);
    Task task{.data = empty, .split = tiny_split(), .relation = Relation::Edge, .seed = Seed::from_number(3)};
    Release replay = Release::replay(Relation::Edge, plan, recording);
    const Output replayed = run_counts(task, replay, options);
    EXPECT_TRUE(std::ranges::equal(values(recorded.predictions).values(), values(replayed.predictions).values()));
    ASSERT_EQ(recorded.model.value().size(), replayed.model.value().size());
    for (const auto& [name, tensor] : recorded.model.value()) {
      EXPECT_EQ(tensor.bytes, replayed.model.value().at(name).bytes) << name;
    }
  }
}

// What was learned serves where no label is known, with counts of its own.
TEST(LapCounts, PredictElsewhere) {
  const graph::Split nobody;
  const Task task{.data = tiny_data(), .split = nobody, .relation = Relation::Edge, .seed = Seed::from_number(4)};
  for (const double noise : {0.1, 1.0}) {
    const CountOptions options{.neighbors = Neighbors::Alike};
    const Ran run = ran(tiny_task(Relation::Edge), noise, options);
    Release release = any_release(Relation::Edge, counts_plan(noise, Relation::Edge, options));
    const Predictions p = infer_counts(run.output.model.value(), task, release, options);
    EXPECT_GT(accuracy_on(values(p), tiny_split().test), 1.5 / tiny_data().classes);
  }
}

}  // namespace
}  // namespace graphveil::method::counts_test
