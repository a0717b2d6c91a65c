#include "graphveil/method/lap/lap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

using bound::Relation;

std::string set(Lap& lap, std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options;
  lap.declare(options);
  for (const auto& [name, value] : values) options.set(name, value);
  return options.to_toml();
}

// A model that knows the prior alone. lap_test runs without `prepare`, so the features have no constant column.
nn::State untrained(const Task& task) {
  const int64_t blocks = task.relation == Relation::Node ? 2 : 1;
  const Matrix sums(task.data.nodes(), blocks * task.data.classes);
  LapNetwork network(task.data, sums, {}, task.seed);
  nn::State model;
  network.save(model, "");
  return model;
}

// The probabilities that the label sums alone give.
Matrix sums_of(const Lap& lap, const Task& task, double noise) {
  mechanism::Release release(task.relation, lap.inference_plan(noise, task.relation), kAnyBudget, Seed::from_number(1));
  const nn::State model = untrained(task);
  return lap.infer(model, task, noise, &release);
}

TEST(Lap, SharesOfTheBudgetAreAsAsked) {
  for (const char* share : {"0.2", "0.6"}) {
    Lap lap;
    set(lap, {{"share", share}});
    const account::Ledger plan = lap.plan(1.5, Relation::Node, tiny_facts());
    ASSERT_EQ(plan.events().size(), 2u);
    const auto noise = [&](int i) {
      return std::get<account::Gaussian>(plan.events()[i].mechanism()).noise_multiplier;
    };
    const double sums = 1 / (noise(0) * noise(0));
    const double training = static_cast<double>(plan.events()[1].count()) / (noise(1) * noise(1));
    EXPECT_NEAR(sums / (sums + training), std::stod(share), 1e-9);
    EXPECT_NEAR(sums + training, 1 / (1.5 * 1.5), 1e-9);
  }
}

TEST(Lap, SmallBatchesStillKeepTheSharesInTheLimit) {
  Lap lap;
  set(lap, {{"batch-size", "30"}, {"steps", "500"}, {"share", "0.5"}});
  const auto plan = [&](double noise) { return lap.plan(noise, Relation::Node, tiny_facts()); };
  const account::Calibration found = account::calibrate(plan, 2.0, 1e-5);
  const account::Ledger ledger = plan(found.noise);
  const double sums = account::spent_epsilon(account::Ledger{ledger.events()[0]}, 1e-5);
  const double training = account::spent_epsilon(account::Ledger{ledger.events()[1]}, 1e-5);
  EXPECT_NEAR(sums / training, 1, 0.15);
}

TEST(Lap, RoundsShareWhatOneReleaseWouldGet) {
  Lap lap;
  set(lap, {{"rounds", "4"}});
  for (Relation relation : {Relation::Node, Relation::Edge}) {
    const account::Event event = lap.inference_plan(2, relation).events()[0];
    EXPECT_EQ(event.count(), 4);
    Lap one;
    set(one, {{"rounds", "1"}});
    EXPECT_NEAR(account::spent_epsilon(account::Ledger{event}, 1e-5),
                account::spent_epsilon(one.inference_plan(2, relation), 1e-5), 1e-3);
  }
}

// Blanks the record of a node that is not in training: its features and its own edges.
graph::Dataset without_record(const graph::Dataset& data, int32_t node) {
  std::vector<int32_t> from, to;
  for (int64_t u = 0; u < data.nodes(); ++u) {
    for (int32_t v : data.graph.out(u)) {
      if (u == node) continue;
      from.push_back(static_cast<int32_t>(u));
      to.push_back(v);
    }
  }
  graph::Dataset blank = data;
  blank.graph = graph::Graph::from_edges(data.nodes(), from, to);
  return blank;
}

// What is released, and every prediction about somebody else, reads a record through the noise only: the record of a
// node outside training sends nothing, so that nothing but its own prediction may change when it goes, edges and all.
TEST(Lap, AnotherNodesEdgesAreNeverReadInTheClear) {
  Lap lap;
  set(lap, {{"steps", "3"}});
  const int32_t gone = tiny_split().test.front();
  ASSERT_GT(tiny_data().graph.out_degree(gone), 0);
  const graph::Dataset blank = without_record(tiny_data(), gone);
  const auto run = [&](const graph::Dataset& data) {
    const Task task{data, tiny_split(), Relation::Node, Seed::from_number(3), std::nullopt};
    mechanism::Release release(Relation::Node, lap.plan(1, Relation::Node, tiny_facts()), kAnyBudget,
                               Seed::from_number(1));
    return lap.run(task, 1, &release);
  };
  const Released with = run(tiny_data()), without = run(blank);
  for (const auto& [name, tensor] : with.model) EXPECT_EQ(tensor.bytes, without.model.at(name).bytes) << name;
  bool own_changed = false;
  for (int64_t v = 0; v < blank.nodes(); ++v) {
    const bool same = std::ranges::equal(with.probabilities.row(v), without.probabilities.row(v));
    if (v == gone) {
      own_changed = !same;
    } else {
      EXPECT_TRUE(same) << v;
    }
  }
  EXPECT_TRUE(own_changed);
}

// A training node hears nothing of its own label: what it sent along its list is taken out again.
TEST(Lap, OwnLabelDoesNotComeBack) {
  for (const char* weights : {"sqrt-degree", "soft-cap"}) {
    Lap lap;
    set(lap, {{"weights", weights}, {"max-degree", "3"}});
    for (int32_t v : {tiny_split().train[0], tiny_split().train[7], tiny_split().train[20]}) {
      graph::Dataset other = tiny_data();
      std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
      labels[v] = (labels[v] + 1) % other.classes;
      other.labels = SharedArray<int32_t>(std::move(labels));
      const Task here = tiny_task(Relation::Node);
      const Task there{other, here.split, here.relation, here.seed, std::nullopt};
      const Matrix a = sums_of(lap, here, 0.5), b = sums_of(lap, there, 0.5);
      for (int64_t k = 0; k < a.cols(); ++k) EXPECT_NEAR(a(v, k), b(v, k), 1e-4) << weights;
    }
  }
}

TEST(Lap, EdgeLevelIsOneLine) {
  const Lap lap;
  for (Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    const account::Ledger plan = lap.plan(2, relation, tiny_facts());
    ASSERT_EQ(plan.events().size(), 1u);
    EXPECT_EQ(plan, lap.inference_plan(2, relation));
  }
}

TEST(Lap, SensitivityIsThatOfACentredLabel) {
  const Lap lap;
  const double c = tiny_data().classes;
  for (const auto& [relation, factor] : {std::pair(Relation::Node, 1.0), std::pair(Relation::Edge, 1.0),
                                         std::pair(Relation::UndirectedEdge, std::sqrt(2.0))}) {
    mechanism::Release release(relation, lap.inference_plan(2, relation), kAnyBudget, Seed::from_number(1));
    const Task task = tiny_task(relation);
    lap.infer(untrained(task), task, 2, &release);
    EXPECT_NEAR(release.spent_lines()[0].sensitivity, factor * std::sqrt(1 - 1 / c), 1e-12) << bound::name(relation);
  }
}

TEST(Lap, OnlyTrainingLabelsAreRead) {
  Lap lap;
  set(lap, {{"steps", "3"}});
  graph::Dataset other = tiny_data();
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  for (int32_t v : tiny_split().test) labels[v] = (labels[v] + 1) % other.classes;
  other.labels = SharedArray<int32_t>(std::move(labels));
  const Task here = tiny_task(Relation::Node);
  const Task there{other, here.split, here.relation, here.seed, std::nullopt};
  const auto run = [&](const Task& task) {
    mechanism::Release release(Relation::Node, lap.plan(1, Relation::Node, tiny_facts()), kAnyBudget,
                               Seed::from_number(1));
    return lap.run(task, 1, &release).probabilities;
  };
  const Matrix a = run(here), b = run(there);
  EXPECT_TRUE(std::equal(a.values().begin(), a.values().end(), b.values().begin()));
}

// With hardly any noise the prior alone says what the neighbors' labels say.
TEST(Lap, ThePriorAloneVotesWithTheNeighbors) {
  Lap lap;
  set(lap, {{"rounds", "1"}});
  const Task task = tiny_task(Relation::Edge);
  const Matrix p = sums_of(lap, task, 1e-4);
  std::vector<bool> training(static_cast<size_t>(task.data.nodes()));
  for (int32_t v : task.split.train) training[v] = true;
  int64_t checked = 0;
  for (int64_t v = 0; v < task.data.nodes(); ++v) {
    std::vector<int> votes(static_cast<size_t>(task.data.classes));
    for (int32_t u : task.data.graph.in(v)) votes[task.data.labels[u]] += training[u];
    std::vector<int> sorted = votes;
    std::sort(sorted.rbegin(), sorted.rend());
    if (sorted[0] == sorted[1]) continue;
    const auto row = p.row(v);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(),
              std::max_element(votes.begin(), votes.end()) - votes.begin());
    ++checked;
  }
  EXPECT_GT(checked, task.data.nodes() / 2);
}

TEST(Lap, BeatsGuessingAtEveryRelationAndDepth) {
  for (Relation relation : {Relation::Node, Relation::Edge, Relation::UndirectedEdge}) {
    for (const char* layers : {"1", "2"}) {
      Lap lap;
      set(lap, {{"layers", layers}});
      const Task task = tiny_task(relation);
      mechanism::Release release(relation, lap.plan(0.05, relation, tiny_facts()), kAnyBudget, Seed::from_number(1));
      const Released released = lap.run(task, 0.05, &release);
      EXPECT_GT(accuracy_on(released.probabilities, tiny_split().test), 1.8 / tiny_data().classes) << layers;
    }
  }
}

}  // namespace
}  // namespace graphveil::method
