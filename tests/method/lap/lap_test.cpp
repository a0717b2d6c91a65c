#include "graphveil/method/lap/lap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::lap_test {
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
  const int64_t blocks = task.relation == Relation::Record ? 2 : 1;
  const Matrix sums(task.data.nodes(), blocks * task.data.classes);
  LapNetwork network(task.data, sums, {}, task.seed);
  nn::State model;
  network.save(model, "");
  return model;
}

// The probabilities that the label sums alone give.
Matrix sums_of(const Lap& lap, const Task& task, double noise) {
  Release release = any_release(task.relation, lap.inference_plan(noise, tiny_setting(task.relation)), 1);
  return values(lap.infer(untrained(task), task, release)).clone();
}

// The sums before their noise, round by round.
std::vector<std::vector<double>> seen_by(const Lap& lap, const Task& task, double noise = 1) {
  Release release = any_release(task.relation, lap.inference_plan(noise, tiny_setting(task.relation)), 1);
  mechanism::Watcher watcher;
  mechanism::ObserverAccess::watch(release, watcher);
  lap.infer(untrained(task), task, release);
  std::vector<std::vector<double>> rounds;
  for (const mechanism::Seen& seen : watcher.seen) rounds.push_back(seen.values);
  return rounds;
}

Task task_on(const graph::Dataset& data, Relation relation) {
  return {.data = data,
          .split = tiny_split(),
          .relation = relation,
          .protect_degree = kTinyDegree,
          .seed = Seed::from_number(3)};
}

Output trained(const Lap& lap, const graph::Dataset& data, Relation relation) {
  Release release = any_release(relation, lap.plan(1, tiny_setting(relation)), 1);
  return lap.run(task_on(data, relation), release);
}

TEST(Lap, SharesOfTheBudgetAreAsAsked) {
  for (const char* share : {"0.2", "0.6"}) {
    Lap lap;
    set(lap, {{"share", share}});
    for (const Relation relation : {Relation::Node, Relation::Record}) {
      const Plan plan = lap.plan(1.5, tiny_setting(relation));
      ASSERT_EQ(plan.lines().size(), 2u);
      const auto noise = [&](int i) {
        return std::get<account::Gaussian>(plan.lines()[i].event.mechanism()).noise_multiplier;
      };
      const double sums = static_cast<double>(plan.lines()[0].event.count()) / (noise(0) * noise(0));
      const double training = static_cast<double>(plan.lines()[1].event.count()) / (noise(1) * noise(1));
      EXPECT_NEAR(sums / (sums + training), std::stod(share), 1e-9);
      EXPECT_NEAR(sums + training, 1 / (1.5 * 1.5), 1e-9);
    }
  }
}

TEST(Lap, SmallBatchesStillKeepTheSharesInTheLimit) {
  Lap lap;
  set(lap, {{"batch-size", "30"}, {"steps", "500"}, {"share", "0.5"}});
  const auto plan = [&](double noise) { return lap.plan(noise, tiny_setting(Relation::Node)).ledger(); };
  const account::Calibration found = account::calibrate(plan, 2.0, 1e-5);
  const account::Ledger ledger = plan(found.noise);
  const double sums = account::spent_epsilon(account::Ledger{ledger.events()[0]}, 1e-5);
  const double training = account::spent_epsilon(account::Ledger{ledger.events()[1]}, 1e-5);
  EXPECT_NEAR(sums / training, 1, 0.15);
}

TEST(Lap, RoundsShareWhatOneReleaseWouldGet) {
  Lap lap, one;
  set(lap, {{"rounds", "4"}, {"edge-noise", "gaussian"}});
  set(one, {{"rounds", "1"}, {"edge-noise", "gaussian"}});
  for (const Relation relation : bound::all_relations()) {
    const account::Ledger four = lap.inference_plan(2, tiny_setting(relation)).ledger();
    EXPECT_EQ(four.events()[0].count(), 4);
    EXPECT_NEAR(account::spent_epsilon(four, 1e-5),
                account::spent_epsilon(one.inference_plan(2, tiny_setting(relation)).ledger(), 1e-5), 1e-3);
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
  set(lap, {{"steps", "3"}, {"rounds", "1"}});  // in a second round it would send a guess, through the noise
  const int32_t gone = tiny_split().test.front();
  ASSERT_GT(tiny_data().graph.out_degree(gone), 0);
  const graph::Dataset blank = without_record(tiny_data(), gone);
  for (const Relation relation : {Relation::Record, Relation::Node}) {
    const Output with = trained(lap, tiny_data(), relation), without = trained(lap, blank, relation);
    for (const auto& [name, tensor] : with.model.value()) {
      EXPECT_EQ(tensor.bytes, without.model.value().at(name).bytes) << name;
    }
    bool own_changed = false;
    for (int64_t v = 0; v < blank.nodes(); ++v) {
      const bool same = std::ranges::equal(values(with.predictions).row(v), values(without.predictions).row(v));
      if (v == gone) {
        own_changed = !same;
      } else {
        EXPECT_TRUE(same) << v;
      }
    }
    EXPECT_EQ(own_changed, relation == Relation::Record) << "under node nobody's list is read at all";
  }
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
      const Matrix a = sums_of(lap, task_on(tiny_data(), Relation::Record), 0.5);
      const Matrix b = sums_of(lap, task_on(other, Relation::Record), 0.5);
      for (int64_t k = 0; k < a.cols(); ++k) EXPECT_NEAR(a(v, k), b(v, k), 1e-4) << weights;
    }
  }
}

TEST(Lap, EdgeLevelIsOneLine) {
  const Lap lap;
  for (Relation relation : {Relation::Edge, Relation::UndirectedEdge}) {
    const Plan plan = lap.plan(2, tiny_setting(relation));
    ASSERT_EQ(plan.lines().size(), 1u);
    EXPECT_EQ(plan, lap.inference_plan(2, tiny_setting(relation)));
  }
}

TEST(Lap, SensitivityIsThatOfACentredLabel) {
  Lap lap;
  set(lap, {{"edge-noise", "gaussian"}});
  const double c = tiny_data().classes;
  for (const auto& [relation, factor] :
       {std::pair(Relation::Node, std::sqrt(double{kTinyDegree})), std::pair(Relation::Record, 1.0),
        std::pair(Relation::Edge, 1.0), std::pair(Relation::UndirectedEdge, std::sqrt(2.0))}) {
    Release release = any_release(relation, lap.inference_plan(2, tiny_setting(relation)));
    const Task task = tiny_task(relation);
    lap.infer(untrained(task), task, release);
    EXPECT_NEAR(release.spent().lines()[0].sensitivity(), factor * std::sqrt(1 - 1 / c), 1e-12)
        << bound::name(relation);
  }
}

// Under node a blank node leaves others' lists, so no training sample may read its own.
TEST(Lap, OwnListsAreNotReadInTrainingUnderNode) {
  Lap lap;
  set(lap, {{"own-edges", "train"}});
  EXPECT_THROW(lap.plan(1, tiny_setting(Relation::Node)), Error);
  EXPECT_NO_THROW(lap.plan(1, tiny_setting(Relation::Record)));
  EXPECT_EQ(Lap().predictions(Relation::Node).relation, Relation::Node);
  set(lap, {{"own-edges", "predict"}});
  EXPECT_NO_THROW(lap.plan(1, tiny_setting(Relation::Node)));
  EXPECT_EQ(lap.predictions(Relation::Node).relation, Relation::Record) << "what reads a list has this guarantee only";
}

TEST(Lap, OnlyTrainingLabelsAreRead) {
  Lap lap;
  set(lap, {{"steps", "3"}});
  graph::Dataset other = tiny_data();
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  for (int32_t v : tiny_split().test) labels[v] = (labels[v] + 1) % other.classes;
  other.labels = SharedArray<int32_t>(std::move(labels));
  for (const Relation relation : {Relation::Node, Relation::Record}) {
    const Output a = trained(lap, tiny_data(), relation), b = trained(lap, other, relation);
    EXPECT_TRUE(std::ranges::equal(values(a.predictions).values(), values(b.predictions).values()));
  }
}

// A training list may hold nodes without a label. Once such a node wrote outside of its row: it must send nothing, and
// leave the messages of the nodes beside it alone.
TEST(Lap, ATrainingNodeWithoutALabelSendsNothing) {
  Lap lap;
  set(lap, {{"steps", "3"}, {"rounds", "1"}, {"edge-noise", "gaussian"}});
  for (const size_t place : {size_t{0}, tiny_split().train.size() / 2, tiny_split().train.size() - 1}) {
    const int32_t u = tiny_split().train[place];
    graph::Dataset data = tiny_data();
    std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
    labels[static_cast<size_t>(u)] = graph::kUnlabeled;
    data.labels = SharedArray<int32_t>(std::move(labels));
    graph::Split without = tiny_split();
    without.train.erase(without.train.begin() + static_cast<std::ptrdiff_t>(place));
    for (const Relation relation : bound::all_relations()) {
      SCOPED_TRACE(bound::name(relation));
      const Task listed = task_on(data, relation);
      const Task left_out{
          .data = data, .split = without, .relation = relation, .protect_degree = kTinyDegree, .seed = listed.seed};
      EXPECT_EQ(seen_by(lap, listed), seen_by(lap, left_out));
      Release release = any_release(relation, lap.plan(1, tiny_setting(relation)));
      EXPECT_NO_THROW(lap.run(listed, release));
      EXPECT_TRUE(release.complete());
    }
  }
}

// With hardly any noise the prior alone says what the neighbors' labels say.
TEST(Lap, ThePriorAloneVotesWithTheNeighbors) {
  Lap lap;
  set(lap, {{"rounds", "1"}, {"edge-noise", "gaussian"}});
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
  for (const Relation relation : bound::all_relations()) {
    for (const char* layers : {"1", "2"}) {
      Lap lap;
      set(lap, {{"layers", layers}});
      Release release = any_release(relation, lap.plan(0.05, tiny_setting(relation)), 1);
      const Output output = lap.run(tiny_task(relation), release);
      EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 1.8 / tiny_data().classes)
          << bound::name(relation) << " " << layers;
    }
  }
}

}  // namespace
}  // namespace graphveil::method::lap_test
