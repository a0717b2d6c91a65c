#include "graphveil/run/train.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "graphveil/base/context.h"
#include "graphveil/base/progress.h"
#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::run::train_test {
namespace {

using mechanism::Audience;

bool says(const std::vector<std::string>& list, const std::string& word) {
  return std::any_of(list.begin(), list.end(), [&](const auto& s) { return s.find(word) != std::string::npos; });
}

TEST(Train, MeetsTheBudgetAndCertifiesWhatItSpent) {
  const TrainOutcome outcome = train_quick("gap-edp", {{"epsilon", "3"}, {"repeats", "2"}});
  const artifact::Certificate& c = outcome.certificate;
  EXPECT_TRUE(c.valid());
  EXPECT_TRUE(c.releasable());
  EXPECT_EQ(c.relation, bound::Relation::UndirectedEdge);  // the default on a symmetric graph
  EXPECT_LE(*c.epsilon, 3);
  EXPECT_GT(*c.epsilon, 2.99);
  EXPECT_EQ(c.plan, outcome.trained.spent);
  EXPECT_EQ(outcome.evaluations.size(), 2u);
  EXPECT_EQ(outcome.seconds.size(), 2u);
  EXPECT_GT(outcome.test_nodes, 0);
}

TEST(Train, ASeedRepeatsEverythingAndIsNotReleasable) {
  const TrainOutcome a = train_quick("mlp-dp", {{"seed", "11"}}), b = train_quick("mlp-dp", {{"seed", "11"}});
  EXPECT_EQ(a.evaluations[0].test_accuracy, b.evaluations[0].test_accuracy);
  EXPECT_EQ(to_json(a.certificate), to_json(b.certificate));
  EXPECT_TRUE(a.certificate.reproducible_seed);
  EXPECT_TRUE(a.certificate.valid());
  EXPECT_FALSE(a.certificate.releasable());
  EXPECT_FALSE(train_quick("mlp-dp").certificate.reproducible_seed);
}

// Every method of the registry: predictions have the audience that the certificate states for them.
TEST(Train, PredictionsHaveTheAudienceThatIsStated) {
  for (const std::string& name : method::method_names()) {
    for (const bound::Relation relation : method::make_method(name)->relations()) {
      OptionList options{{"relation", std::string(bound::name(relation))}};
      if (name == "dpgnn" && relation == bound::Relation::Node) continue;  // wants a graph of small degrees
      const TrainOutcome outcome = train_quick(name, options);
      const Audience audience = method::audience(outcome.trained.output.predictions);
      std::optional<Audience> stated;
      for (const artifact::Statement& s : outcome.certificate.statements) {
        if (s.what == "predictions") stated = s.audience;
      }
      EXPECT_EQ(audience, stated.value_or(Audience::Holder)) << name << " " << bound::name(relation);
      const bool reads_public_graph = method::make_method(name)->wants_public_graph();
      if (!bound::edge_level(relation) && !reads_public_graph) {
        EXPECT_NE(audience, Audience::Public) << name;
      }
    }
  }
}

TEST(Train, AMethodWithoutNoiseIsNeverValid) {
  const TrainOutcome outcome = train_quick("gap-inf");
  EXPECT_FALSE(outcome.certificate.valid());
  EXPECT_FALSE(outcome.certificate.epsilon.has_value());
  EXPECT_FALSE(outcome.certificate.reasons.empty());
}

TEST(Train, ThePapersArithmeticIsNeverValidAndTheProvenEpsilonIsBesideIt) {
  const artifact::Certificate edge =
      train_quick("gap-edp", {{"epsilon", "4"}, {"accounting", "published"}}).certificate;
  EXPECT_FALSE(edge.valid());
  EXPECT_FALSE(edge.reasons.empty());
  EXPECT_EQ(edge.published_epsilon, 4);
  EXPECT_GT(*edge.epsilon, 4);  // an undirected edge moves two rows, the paper counts one

  Experiment paper("gap-ndp");
  paper.use_preset("paper");
  for (const auto& [name, value] :
       {std::pair{"epochs", "2"}, {"encoder-epochs", "2"}, {"epsilon", "4"}, {"accounting", "published"}}) {
    paper.set(name, value);
  }
  const artifact::Certificate node = train(paper, {tiny(), std::nullopt}).certificate;
  EXPECT_FALSE(node.valid());
  EXPECT_EQ(node.relation, bound::Relation::Record);
  EXPECT_LT(*node.epsilon, 4);  // the Renyi conversion is loose
}

// Run as published, dpgnn also does what has no proof; the certificate says each such thing, and prices the noise.
TEST(Train, DpGnnAsPublishedSaysWhyItProvesNothing) {
  Experiment paper("dpgnn");
  paper.use_preset("paper");
  for (const auto& [name, value] : {std::pair{"steps", "3"},
                                    {"batch-size", "20"},
                                    {"hidden-dim", "8"},
                                    {"epsilon", "4"},
                                    {"accounting", "published"},
                                    {"seed", "5"}}) {
    paper.set(name, value);
  }
  const artifact::Certificate c = train(paper, {tiny(), std::nullopt}).certificate;
  EXPECT_FALSE(c.valid());
  EXPECT_EQ(c.published_epsilon, 4);
  ASSERT_TRUE(c.epsilon.has_value());
  EXPECT_EQ(c.reasons.size(), 6u);
  ASSERT_EQ(c.plan.lines().size(), 1u);
  const mechanism::PlanLine& line = c.plan.lines()[0];
  // Encoder, one round and decoder: three groups of norm at most 1 in units of their clip norms, and a little rounding.
  EXPECT_NEAR(line.sensitivity(), std::sqrt(3), 2e-3 * std::sqrt(3));
  EXPECT_NEAR(mechanism::noise_scale(line), c.noise, 2e-3 * c.noise);
  EXPECT_TRUE(std::holds_alternative<account::PoissonGroup>(line.event.sampling()));
}

TEST(Train, PropagationLeavesOnlyTheParametersCovered) {
  const TrainOutcome outcome = train_quick("mlp-dp", {{"seed", "3"}, {"propagate", "2"}});
  EXPECT_TRUE(outcome.certificate.valid());
  EXPECT_EQ(method::audience(outcome.trained.output.predictions), Audience::Holder);
  for (const artifact::Statement& s : outcome.certificate.statements) EXPECT_EQ(s.what, "parameters");
  const TrainOutcome plain = train_quick("mlp-dp", {{"seed", "3"}});
  EXPECT_EQ(method::audience(plain.trained.output.predictions), Audience::Owner);
  EXPECT_NE(method::values(plain.trained.output.predictions)(0, 0),
            method::values(outcome.trained.output.predictions)(0, 0));
}

TEST(Train, WhatTheDataGaveAwayIsAnAssumption) {
  graph::Dataset data = tiny();
  data.found_in_data = {"which nodes have an edge"};
  const artifact::Certificate c = train(*quick("mlp-dp"), {data, std::nullopt}).certificate;
  EXPECT_TRUE(says(c.assumptions, "which nodes have an edge"));
  EXPECT_EQ(c.found_in_data, data.found_in_data);
  EXPECT_TRUE(says(train_quick("mlp-dp", {{"public", "val"}}).certificate.assumptions, "validation"));
}

TEST(Train, APublicGraphBesideThePrivateOne) {
  const TrainOutcome split = train_quick("oneshot", {{"seed", "4"}});
  EXPECT_TRUE(split.certificate.valid());
  EXPECT_EQ(split.certificate.relation, bound::Relation::Node);
  EXPECT_DOUBLE_EQ(split.certificate.delta, 1e-3);  // 120 private nodes, not all of the graph
  EXPECT_TRUE(says(split.certificate.assumptions, "public graph"));
  EXPECT_EQ(method::values(split.trained.output.predictions).rows(), 150);
  EXPECT_EQ(split.predicted_ids.size(), 150u);
  EXPECT_EQ(split.test_nodes, 60);
}

TEST(Train, DataWithASchemaIsCertifiedWithItsHashAndNames) {
  graph::Dataset data = tiny();
  std::vector<std::string> classes, columns;
  for (int32_t k = 0; k < data.classes; ++k) classes.push_back("class " + std::to_string(k));
  for (int64_t k = 0; k < data.features.cols(); ++k) columns.push_back("column " + std::to_string(k));
  data.class_names = graph::Names(std::span<const std::string>(classes));
  data.feature_names = graph::Names(std::span<const std::string>(columns));
  // Names that nobody declared stay behind.
  EXPECT_TRUE(train(*quick("mlp-dp"), {data, std::nullopt}).certificate.class_names.empty());
  data.schema = "a schema";
  const artifact::Certificate c = train(*quick("mlp-dp"), {data, std::nullopt}).certificate;
  EXPECT_EQ(c.class_names, classes);
  EXPECT_EQ(c.feature_names, columns);
  EXPECT_TRUE(says(c.assumptions, c.schema_sha256));
  const auto* text = reinterpret_cast<const uint8_t*>(data.schema.data());
  EXPECT_EQ(c.schema_sha256, sha256_hex({text, data.schema.size()}));
}

TEST(Train, WhoeverWatchesCanStopIt) {
  struct Stopper : ProgressSink {
    void update(const ProgressUpdate&) override {}
    bool cancelled() override { return true; }
  };
  const ContextScope scope({.threads = 0, .progress = std::make_shared<Stopper>()});
  try {
    train(*quick("mlp", {{"epochs", "1000000"}}), {tiny(), std::nullopt});
    ADD_FAILURE() << "went on to the end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
}

TEST(Train, RefusesWhatCannotBe) {
  EXPECT_THROW(train_quick("mlp-dp", {{"relation", "edge"}}), Error);
  EXPECT_THROW(train_quick("gap-edp", {{"relation", "node"}}), Error);
  EXPECT_THROW(train_quick("sage-edp", {{"accounting", "published"}}), Error);
  EXPECT_THROW(train_quick("gap-inf", {{"relation", "edge"}}), Error);
}

// Five nodes of two classes: of the six pairs of a positive and a negative, five are in order.
TEST(Evaluate, RocAucOfTwoClasses) {
  Parts parts;
  parts.evaluated.classes = 2;
  parts.evaluated.labels = SharedArray<int32_t>(std::vector<int32_t>{1, 0, 1, 0, 0});
  parts.evaluated_split.test = {0, 1, 2, 3, 4};
  Matrix p(5, 2);
  const std::vector<double> scores{0.9, 0.6, 0.5, 0.2, 0.1};
  for (int64_t v = 0; v < 5; ++v) {
    p(v, 1) = static_cast<Real>(scores[static_cast<size_t>(v)]);
    p(v, 0) = 1 - p(v, 1);
  }
  EXPECT_NEAR(*evaluate(parts, p).roc_auc, 5.0 / 6, 1e-12);
  parts.evaluated_split.test = {1, 3};
  EXPECT_FALSE(evaluate(parts, p).roc_auc.has_value()) << "negatives alone";
}

TEST(Train, RocAucWantsTwoClasses) {
  EXPECT_FALSE(train_quick("mlp").test_roc_auc.has_value());
  EXPECT_THROW(train_quick("mlp", {{"metric", "roc-auc"}}), Error);
}

// Whole-number noise needs no delta, from the plan to the certificate.
TEST(Train, CountsNeedNoDelta) {
  for (const char* method : {"lap", "lpgnet"}) {
    const TrainOutcome outcome = train_quick(method, {{"relation", "edge"}, {"epsilon", "4"}});
    EXPECT_EQ(outcome.certificate.delta, 0) << method;
    EXPECT_LE(*outcome.certificate.epsilon, 4) << method;
    EXPECT_GT(*outcome.certificate.epsilon, 3.99) << method;
    EXPECT_TRUE(outcome.certificate.releasable()) << method;
  }
}

}  // namespace
}  // namespace graphveil::run::train_test
