// What --tune relies on, for every method and everything that it may choose: at edge level settings change nothing that
// is released, at node level nothing that is charged, and the private score moves by no more than it states.
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "graphveil/bound/correct_count.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/search.h"
#include "tests/contract/cases.h"
#include "tests/contract/harness.h"

namespace graphveil::contract::tunable_test {
namespace {

using Small = Made;

Small small(const std::string& name, const method::OptionValues& options = {}) { return make_quick(name, options); }

method::Setting setting_of(const SmallGraph& graph, bound::Relation relation) {
  return {relation,
          100,
          {graph.data.nodes(), static_cast<int64_t>(graph.split.train.size()), graph.data.features.cols(),
           graph.data.classes, 0}};
}

method::Task task_of(const graph::Dataset& data, const SmallGraph& graph, bound::Relation relation) {
  return {.data = data, .split = graph.split, .relation = relation, .seed = Seed::from_number(7)};
}

constexpr double kNoise = 0.2;

TEST(Tunable, AtEdgeLevelActsAfterTheLastRelease) {
  int64_t checked = 0;
  for (const std::string& name : method::method_names()) {
    for (const bound::Relation relation : small(name).method->relations()) {
      if (!bound::edge_level(relation)) continue;
      const SmallGraph graph = small_graph(4, true);
      const Small base = small(name);
      const graph::Dataset data = base.method->prepare(graph.data);
      const mechanism::Plan plan = base.method->plan(kNoise, setting_of(graph, relation));
      mechanism::Recording recording;
      mechanism::Watcher first;
      mechanism::Release release = mechanism::Release::open(
          relation, plan, {std::numeric_limits<double>::infinity(), 1e-5}, Seed::from_number(1));
      mechanism::ObserverAccess::watch(release, first);
      release.record(recording);
      base.method->run(task_of(data, graph, relation), release);
      for (const method::Tunable& tunable : base.method->tunables(relation)) {
        for (const std::string& value : tunable.values) {
          const Small other = small(name);
          other.options->set(tunable.option, value);
          const std::string what = name + " --" + tunable.option + " " + value;
          ASSERT_EQ(other.method->plan(kNoise, setting_of(graph, relation)), plan) << what;
          mechanism::Release replay = mechanism::Release::replay(relation, plan, recording);
          mechanism::Watcher second;
          mechanism::ObserverAccess::watch(replay, second);
          other.method->run(task_of(data, graph, relation), replay);
          EXPECT_TRUE(replay.complete()) << what;
          ASSERT_EQ(first.seen.size(), second.seen.size()) << what;
          for (size_t i = 0; i < first.seen.size(); ++i) {
            EXPECT_EQ(first.seen[i].values, second.seen[i].values) << what << ", release " << i;
          }
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 100);
}

// The check above would notice: these act before a release too.
TEST(Tunable, WhatActsBeforeAReleaseIsSeen) {
  // lap guesses labels by what it trained where it counts neighbors by class a second time.
  const std::vector<std::pair<const char*, method::OptionValues>> early{
      {"lap", {{"rounds", "2"}, {"neighbors", "alike"}}}, {"gap-edp", {}}, {"lpgnet", {}}};
  for (const auto& [name, settings] : early) {
    const SmallGraph graph = small_graph(4, true);
    std::vector<std::vector<double>> seen[2];
    for (const bool changed : {false, true}) {
      const Small one = small(name, settings);
      if (changed) one.options->set("learning-rate", "0.9");
      const graph::Dataset data = one.method->prepare(graph.data);
      mechanism::Release release = mechanism::Release::clear(
          bound::Relation::Edge, one.method->plan(kNoise, setting_of(graph, bound::Relation::Edge)));
      mechanism::Watcher watcher;
      mechanism::ObserverAccess::watch(release, watcher);
      one.method->run(task_of(data, graph, bound::Relation::Edge), release);
      for (const mechanism::Seen& s : watcher.seen) seen[changed].push_back(s.values);
    }
    EXPECT_NE(seen[0], seen[1]) << name;
  }
}

TEST(Tunable, AtNodeLevelLeavesTheLedgerAndTheDataAlone) {
  int64_t checked = 0;
  for (const std::string& name : method::method_names()) {
    for (const bound::Relation relation : small(name).method->relations()) {
      if (bound::edge_level(relation)) continue;
      const SmallGraph graph = small_graph(4, true);
      const Small base = small(name);
      const method::Setting setting = setting_of(graph, relation);
      for (const method::Tunable& tunable : base.method->tunables(relation)) {
        EXPECT_GE(tunable.values.size(), 2u) << name;
        for (const std::string& value : tunable.values) {
          const Small other = small(name);
          other.options->set(tunable.option, value);
          EXPECT_EQ(other.method->plan(3, setting).ledger(), base.method->plan(3, setting).ledger())
              << name << " --" << tunable.option << " " << value;
          EXPECT_EQ(other.method->prepare(graph.data).features.cols(),
                    base.method->prepare(graph.data).features.cols());
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 30);
}

// A trial of a search as one method: the training, then its score.
class Scored final : public method::Method {
 public:
  explicit Scored(const method::Method& inner) : inner_(inner) {}
  method::Description describe() const override { return inner_.describe(); }
  void declare(Options&) override {}
  void use_paper_settings() override {}
  graph::Dataset prepare(const graph::Dataset& data) const override { return inner_.prepare(data); }
  std::vector<bound::Relation> relations() const override { return inner_.relations(); }
  method::PredictionCover predictions(bound::Relation relation) const override { return inner_.predictions(relation); }
  method::Plan plan(double noise, const method::Setting& setting) const override {
    method::Plan plan = inner_.plan(noise, setting);
    plan.add({account::Event("score", account::Gaussian{noise}), bound::correct_count_bound()});
    return plan;
  }
  method::Output run(const method::Task& task, mechanism::Release& release) const override {
    method::Output output = inner_.run(task, release);
    run::released_score(output, task, release);
    return output;
  }
  method::Plan inference_plan(double noise, const method::Setting& setting) const override {
    return inner_.inference_plan(noise, setting);
  }
  method::Predictions infer(const nn::State& model, const method::Task& task,
                            mechanism::Release& release) const override {
    return inner_.infer(model, task, release);
  }

 private:
  const method::Method& inner_;
};

TEST(Tunable, TheScoreMovesByAtMostOneOnEveryNeighbor) {
  int64_t pairs = 0;
  for (const std::string& name : method::method_names()) {
    const Small inner = small(name);
    if (inner.method->wants_public_graph()) continue;
    for (const bound::Relation relation : inner.method->relations()) {
      if (bound::edge_level(relation) || inner.method->tunables(relation).empty()) continue;
      for (uint64_t seed = 1; seed <= 6; ++seed) {
        const SmallGraph graph = small_graph(seed, seed % 2 == 0);
        for (const Neighbors& neighbors : all_neighbors(graph, relation)) {
          const auto found = findings(Scored(*inner.method), relation, neighbors, {.seed = seed});
          ASSERT_TRUE(found.empty()) << name << ": " << found.front();
          ++pairs;
        }
      }
    }
  }
  EXPECT_GT(pairs, 400);
}

}  // namespace
}  // namespace graphveil::contract::tunable_test
