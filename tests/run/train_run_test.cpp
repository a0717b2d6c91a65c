#include "graphveil/run/train_run.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/graph/split.h"
#include "graphveil/method/registry.h"

namespace graphveil::run {
namespace {

const graph::Dataset& data() {
  static const graph::Dataset d = graph::generate(graph::preset("tiny"), Seed::from_number(1));
  return d;
}

std::unique_ptr<method::Method> quick(const std::string& name) {
  auto method = method::make_method(name);
  Options options;
  method->declare(options);
  for (const char* option : {"epochs", "encoder-epochs"}) {
    if (options.find(option) != nullptr) options.set(option, "5");
  }
  return method;
}

TEST(AutomaticDelta, OneOverTenToTheDigits) {
  EXPECT_DOUBLE_EQ(automatic_delta(18939), 1e-5);
  EXPECT_DOUBLE_EQ(automatic_delta(1354934), 1e-7);
  EXPECT_DOUBLE_EQ(automatic_delta(9), 0.1);
  EXPECT_DOUBLE_EQ(automatic_delta(10), 0.01);
  EXPECT_DOUBLE_EQ(automatic_delta(999), 1e-3);
}

TEST(Train, MeetsTheBudgetAndCertifiesWhatItSpent) {
  TrainSettings settings;
  settings.epsilon = 3;
  settings.seed = 4;
  settings.repeats = 2;
  const TrainOutcome outcome = train(*quick("gap-edp"), data(), settings);
  const Certificate& c = outcome.certificate;
  EXPECT_TRUE(c.valid());
  EXPECT_EQ(c.relation, bound::Relation::UndirectedEdge);  // the default on a symmetric graph
  EXPECT_LE(*c.epsilon, 3);
  EXPECT_GT(*c.epsilon, 2.99);
  ASSERT_EQ(c.lines.size(), 1u);
  EXPECT_DOUBLE_EQ(c.lines[0].noise_scale, outcome.noise * std::sqrt(2.0));
  EXPECT_EQ(outcome.repeats.size(), 2u);
  EXPECT_TRUE(c.reproducible_seed);
  EXPECT_EQ(c.assumptions.size(), 2u);  // delta from the edge count, the known seed
}

TEST(Train, ASeedRepeatsEverything) {
  TrainSettings settings;
  settings.seed = 11;
  const TrainOutcome a = train(*quick("mlp-dp"), data(), settings), b = train(*quick("mlp-dp"), data(), settings);
  EXPECT_EQ(a.repeats[0].test_accuracy, b.repeats[0].test_accuracy);
  EXPECT_EQ(a.certificate, b.certificate);
  settings.seed.reset();
  EXPECT_FALSE(train(*quick("mlp-dp"), data(), settings).certificate.reproducible_seed);
}

TEST(Train, AMethodWithoutNoiseIsNeverValid) {
  const TrainOutcome outcome = train(*quick("gap-inf"), data(), {});
  EXPECT_FALSE(outcome.certificate.valid());
  EXPECT_FALSE(outcome.certificate.epsilon.has_value());
  EXPECT_FALSE(outcome.certificate.reasons.empty());
}

TEST(Train, ThePapersArithmeticIsNeverValidAndTheProvenEpsilonIsBesideIt) {
  TrainSettings settings;
  settings.epsilon = 4;
  settings.accounting = Accounting::Published;
  const Certificate edge = train(*quick("gap-edp"), data(), settings).certificate;
  EXPECT_FALSE(edge.valid());
  EXPECT_EQ(edge.reasons.size(), 2u);
  EXPECT_EQ(edge.published_epsilon, 4);
  EXPECT_GT(*edge.epsilon, 4);  // an undirected edge moves two rows, the paper counts one

  auto node = method::make_method("gap-ndp");
  node->use_paper_settings();
  Options options;
  node->declare(options);
  for (const char* option : {"epochs", "encoder-epochs"}) options.set(option, "2");
  const Certificate c = train(*node, data(), settings).certificate;
  EXPECT_FALSE(c.valid());
  EXPECT_LT(*c.epsilon, 4);  // the Renyi conversion is loose
}

// Run as published, dpgnn also does what has no proof; the certificate says each such thing, and prices the noise.
TEST(Train, DpGnnAsPublishedSaysWhyItProvesNothing) {
  TrainSettings settings;
  settings.epsilon = 4;
  settings.accounting = Accounting::Published;
  settings.seed = 5;
  auto paper = method::make_method("dpgnn");
  paper->use_paper_settings();
  Options options;
  paper->declare(options);
  for (const auto& [name, value] : {std::pair{"steps", "3"}, {"batch-size", "20"}, {"hidden-dim", "8"}}) {
    options.set(name, value);
  }
  const Certificate c = train(*paper, data(), settings).certificate;
  EXPECT_FALSE(c.valid());
  EXPECT_EQ(c.published_epsilon, 4);
  ASSERT_TRUE(c.epsilon.has_value());
  EXPECT_EQ(c.reasons.size(), 6u);
  ASSERT_EQ(c.lines.size(), 1u);
  // Encoder, one round and decoder: three groups of norm at most 1 in units of their clip norms, and a little rounding.
  EXPECT_NEAR(c.lines[0].sensitivity, std::sqrt(3), 2e-3 * std::sqrt(3));
  EXPECT_NEAR(c.lines[0].noise_scale, c.noise, 2e-3 * c.noise);
  EXPECT_TRUE(std::holds_alternative<account::PoissonGroup>(c.lines[0].event.sampling()));
}

TEST(Train, PropagationLeavesOnlyTheParametersCovered) {
  TrainSettings settings;
  settings.propagate = 2;
  settings.seed = 3;
  const TrainOutcome outcome = train(*quick("mlp-dp"), data(), settings);
  EXPECT_EQ(outcome.certificate.covers, Covers::Parameters);
  EXPECT_TRUE(outcome.certificate.valid());
  settings.propagate = 0;
  const TrainOutcome plain = train(*quick("mlp-dp"), data(), settings);
  EXPECT_EQ(plain.certificate.covers, Covers::ParametersAndPredictions);
  EXPECT_NE(plain.released.probabilities(0, 0), outcome.released.probabilities(0, 0));
}

TEST(Train, ARandomSplitAtNodeLevelIsAnAssumption) {
  const auto mentions_split = [](const Certificate& c) {
    return std::ranges::any_of(c.assumptions,
                               [](const std::string& s) { return s.find("split") != std::string::npos; });
  };
  TrainSettings settings;
  EXPECT_TRUE(mentions_split(train(*quick("mlp-dp"), data(), settings).certificate));
  EXPECT_FALSE(mentions_split(train(*quick("gap-edp"), data(), settings).certificate));  // labels are public there
  graph::Dataset with_split = data();
  with_split.split = graph::random_split(with_split, {}, Seed::from_number(3));
  settings.split = "file";
  EXPECT_FALSE(mentions_split(train(*quick("mlp-dp"), with_split, settings).certificate));
}

TEST(Train, DeclaredPublicDataIsAnAssumption) {
  TrainSettings settings;
  settings.public_data = "val";
  const Certificate c = train(*quick("mlp-dp"), data(), settings).certificate;
  ASSERT_FALSE(c.assumptions.empty());
  EXPECT_NE(c.assumptions[0].find("validation"), std::string::npos);
}

TEST(Train, APublicGraphIsSplitOffOrGiven) {
  TrainSettings settings;
  settings.seed = 4;
  settings.private_nodes = 120;
  settings.public_nodes = 150;
  settings.public_test = 60;
  const TrainOutcome split = train(*quick("oneshot"), data(), settings);
  EXPECT_TRUE(split.certificate.valid());
  EXPECT_EQ(split.certificate.relation, bound::Relation::Node);
  EXPECT_DOUBLE_EQ(split.certificate.delta, 1e-3);  // 120 private nodes, not all of the graph
  EXPECT_EQ(split.certificate.covers, Covers::ParametersAndPredictions);
  EXPECT_EQ(split.certificate.assumptions.size(), 3u);  // the random split, the public graph, the known seed
  EXPECT_EQ(split.certificate.remarks.size(), 1u);
  EXPECT_EQ(split.released.probabilities.rows(), 150);
  EXPECT_EQ(split.predicted_ids.size(), 150u);
  EXPECT_EQ(split.test_nodes, 60);

  const graph::Dataset other = graph::generate(graph::preset("tiny", 90), Seed::from_number(2));
  TrainSettings two;
  two.seed = 4;
  const TrainOutcome pair = train(*quick("oneshot"), data(), two, &other);
  EXPECT_TRUE(pair.certificate.valid());
  EXPECT_EQ(pair.released.probabilities.rows(), 90);
  EXPECT_TRUE(pair.predicted_ids.empty());
  EXPECT_EQ(pair.test_nodes, 0);
  two.public_test = 40;
  EXPECT_EQ(train(*quick("oneshot"), data(), two, &other).test_nodes, 40);
}

TEST(Train, APublicGraphThatDoesNotFitIsRefused) {
  const graph::Dataset other = graph::generate(graph::preset("tiny", 90), Seed::from_number(2));
  EXPECT_THROW(train(*quick("mlp-dp"), data(), {}, &other), Error);
  const auto message = [&](const TrainSettings& settings, const graph::Dataset* public_data) -> std::string {
    try {
      train(*quick("oneshot"), data(), settings, public_data);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  TrainSettings settings;
  EXPECT_NE(message(settings, nullptr).find("--private-nodes is missing"), std::string::npos);
  settings.private_nodes = 100;
  EXPECT_NE(message(settings, nullptr).find("--public-nodes is missing"), std::string::npos);
  settings.public_nodes = 100;
  EXPECT_NE(message(settings, nullptr).find("--public-test is missing"), std::string::npos);
  settings.public_test = 100;
  EXPECT_NE(message(settings, nullptr).find("public-test is 100"), std::string::npos);
  settings.public_test = 50;
  EXPECT_EQ(message(settings, nullptr), "");
  EXPECT_NE(message(settings, &other).find("leave them out"), std::string::npos);
  settings.public_nodes = 1000000;
  EXPECT_NE(message(settings, nullptr).find("public-nodes 1000000"), std::string::npos);
}

TEST(Train, RefusesWhatCannotBe) {
  const auto bad = [&](auto&& change, const std::string& method = "mlp-dp") {
    TrainSettings settings;
    change(settings);
    EXPECT_THROW(train(*quick(method), data(), settings), Error);
  };
  bad([](TrainSettings& s) { s.relation = bound::Relation::Edge; });
  bad([](TrainSettings& s) { s.accounting = Accounting::Published; }, "sage-edp");
  bad([](TrainSettings& s) { s.accounting = Accounting::Published; }, "gap-inf");
  bad([](TrainSettings& s) { s.relation = bound::Relation::Node; }, "gap-edp");
  bad([](TrainSettings& s) { s.relation = bound::Relation::Edge; }, "gap-inf");
  for (const char* split : {"", "75", "75/10", "75/10/16", "0/50/50", "a/b/c", "75/10/15/0", "file", "nan/10/15"}) {
    bad([&](TrainSettings& s) { s.split = split; });
  }
}

TEST(TrainSettings, DeclaresTheFieldsNames) {
  TrainSettings settings;
  Options options;
  settings.declare(options);
  for (const char* name :
       {"epsilon", "e", "delta", "d", "repeats", "r", "seed", "s", "relation", "accounting", "split", "public"}) {
    EXPECT_NE(options.find(name), nullptr) << name;
  }
  Options with_public_graph;
  TrainSettings().declare(with_public_graph, true);
  for (const char* name : {"private-nodes", "public-nodes", "public-test"}) {
    EXPECT_NE(with_public_graph.find(name), nullptr) << name;
    EXPECT_EQ(options.find(name), nullptr) << name;
  }
  EXPECT_EQ(with_public_graph.find("split"), nullptr);
  options.set("relation", "undirected-edge");
  EXPECT_EQ(settings.relation, bound::Relation::UndirectedEdge);
  options.set("delta", "auto");
  EXPECT_FALSE(settings.delta.has_value());
  EXPECT_THROW(options.set("epsilon", "0"), Error);
  EXPECT_THROW(options.set("epsilon", "nan"), Error);
}

}  // namespace
}  // namespace graphveil::run
