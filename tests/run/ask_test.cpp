#include "graphveil/run/ask.h"

#include <cstring>

#include "graphveil/run/train_once.h"
#include "tests/run/small_run.h"

namespace graphveil::run::ask_test {
namespace {

const Seed kSeed = Seed::from_number(3);

struct Asked {
  explicit Asked(const std::string& method, const OptionList& options = {}) : experiment(quick(method, options)) {
    const InputData input{tiny(), std::nullopt};
    parts = make_parts(*experiment, input, Seed::from_number(1));
    prepared = prepare(*experiment, chosen_relation(*experiment, true), public_facts(parts, input));
    model.emplace(train_once(prepared, parts, Seed::from_number(2)).output.model);
  }
  method::Predictions through(mechanism::Release door) const {
    return ask(prepared, model->value(), {parts.data, parts.split}, door, kSeed);
  }

  std::unique_ptr<Experiment> experiment;
  Parts parts;
  Prepared prepared;
  std::optional<method::Public<nn::State>> model;
};

bool same(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)) == 0;
}

TEST(Ask, AnswersAreForWhomTheMethodSays) {
  using mechanism::Audience;
  for (const auto& [method, audience] : {std::pair{"gap-edp", Audience::Public},
                                         {"gap-ndp", Audience::Owner},
                                         {"dpar-gm", Audience::Holder},
                                         {"gap-inf", Audience::Holder}}) {
    const Asked asked(method);
    const method::Predictions made = asked.through(asking_door(asked.prepared, kSeed));
    EXPECT_EQ(method::audience(made), audience) << method;
    EXPECT_EQ(method::values(made).rows(), asked.parts.data.nodes()) << method;
  }
  const Asked propagated("gap-edp", {{"propagate", "2"}});
  EXPECT_EQ(method::audience(propagated.through(asking_door(propagated.prepared, kSeed))), Audience::Holder);
}

TEST(Ask, NoiseComesFromTheDoor) {
  const Asked asked("gap-ndp");
  const auto noisy = [&](uint64_t noise) {
    return method::values(asked.through(asking_door(asked.prepared, Seed::from_number(noise)))).clone();
  };
  EXPECT_TRUE(same(noisy(1), noisy(1)));
  EXPECT_FALSE(same(noisy(1), noisy(2)));
  EXPECT_FALSE(same(noisy(1), method::values(asked.through(clear_door(asked.prepared)))));
}

TEST(Ask, ADoorThatMayCostLessThanItsPlanIsRefused) {
  const Asked asked("gap-ndp");
  EXPECT_THROW(asking_door(asked.prepared, kSeed, 1e-3), Error);
  EXPECT_FALSE(asking_plan(asked.prepared).empty());
}

TEST(Ask, WhatACertificateSaysIsWhatWasPrepared) {
  const Asked asked("lap", {{"epsilon", "2"}, {"protect-degree", "7"}});
  const artifact::Certificate c = certify(asked.prepared, asked.prepared.plan, false, {});
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  EXPECT_EQ(experiment->values(), asked.experiment->values());
  const Prepared again = prepared_as(*experiment, c);
  EXPECT_EQ(again.plan, asked.prepared.plan);
  EXPECT_EQ(again.noise, asked.prepared.noise);
  EXPECT_EQ(again.setting.facts, asked.prepared.setting.facts);
  EXPECT_EQ(again.setting.epsilon, asked.prepared.setting.epsilon);
  EXPECT_EQ(again.setting.delta, asked.prepared.setting.delta);
  EXPECT_EQ(asking_plan(again), asking_plan(asked.prepared));
}

TEST(LabeledNodes, AreThoseWithALabel) {
  graph::Dataset data = tiny();
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  labels[1] = graph::kUnlabeled;
  data.labels = SharedArray<int32_t>(std::move(labels));
  const graph::Split split = labeled_nodes(data);
  EXPECT_EQ(static_cast<int64_t>(split.train.size()), data.nodes() - 1);
  EXPECT_EQ(split.train[1], 2);
}

}  // namespace
}  // namespace graphveil::run::ask_test
