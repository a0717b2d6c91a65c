#include "graphveil/run/auto_choice.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/generate.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/signals.h"

namespace graphveil::run::auto_choice_test {
namespace {

using bound::Relation;

constexpr method::PublicFacts kFacts{1000, 800, 50, 5};

std::string value(const AutoChoice& choice, const std::string& name) {
  for (const auto& [option, text] : choice.options) {
    if (option == name) return text;
  }
  return "";
}

// lap with these settings stands for what was given.
AutoChoice choose(const AutoWishes& wishes, Relation relation, const method::PublicFacts& facts,
                  const method::OptionValues& given = {{"epsilon", "8"}}) {
  return choose_method(wishes, *Experiment::from("lap", given), relation, facts);
}

TEST(AutoChoice, GivesDenserGraphsMoreForTheirLabels) {
  const auto share = [](Relation relation, std::optional<double> degree) {
    return value(choose({.mean_degree = degree}, relation, kFacts), "share");
  };
  EXPECT_EQ(share(Relation::Record, 5.0), "0.3");
  EXPECT_EQ(share(Relation::Record, 30.0), "0.5");
  EXPECT_EQ(share(Relation::Record, std::nullopt), "0.5");
  EXPECT_EQ(share(Relation::Record, 80.0), "0.7");
  // Under node lap has a rule of its own, which reads what is declared.
  EXPECT_EQ(share(Relation::Node, 80.0), "");
  EXPECT_EQ(value(choose({.mean_degree = 80.0}, Relation::Node, kFacts), "mean-degree"), "80");
  EXPECT_EQ(value(choose({}, Relation::Node, kFacts), "mean-degree"), "10") << "assumed, and said";
}

TEST(AutoChoice, IgnoresAGraphWithHardlyAnyEdges) {
  EXPECT_EQ(choose({.mean_degree = 0.5}, Relation::Node, kFacts).method, "mlp-dp");
}

// mlp-dp predicts on other graphs for nothing; sums that are drawn N + 1 times want many neighbors.
TEST(AutoChoice, PredictionsThatAreWantedDecide) {
  const auto chosen = [](std::optional<double> degree, std::optional<int64_t> predictions) {
    method::OptionValues given{{"epsilon", "8"}};
    if (predictions) given.emplace_back("predictions", std::to_string(*predictions));
    return choose({.mean_degree = degree}, Relation::Node, kFacts, given);
  };
  EXPECT_EQ(chosen(std::nullopt, std::nullopt).method, "lap");
  EXPECT_EQ(chosen(std::nullopt, 12).method, "mlp-dp");
  EXPECT_EQ(chosen(60.0, 2000).method, "mlp-dp");
  EXPECT_EQ(chosen(60.0, 2).method, "lap");
  EXPECT_EQ(chosen(100.0, 12).method, "lap");
  EXPECT_NE(chosen(std::nullopt, std::nullopt).why.find("those of mlp-dp cost nothing"), std::string::npos);
  EXPECT_NE(chosen(std::nullopt, 12).why.find("12 predictions"), std::string::npos);
  const AutoChoice edges = choose({}, Relation::Edge, kFacts, {{"predictions", "12"}});
  EXPECT_EQ(edges.method, "lap");
  EXPECT_NE(edges.why.find("those of mlp cost nothing"), std::string::npos);
}

// The tables of a hospital: eight columns, six contacts a person, epsilon quoted for 100 of them. What is said of the
// contacts and what is chosen by them must not differ.
TEST(AutoChoice, ReadsNoContactsThatAreDrowned) {
  const method::PublicFacts hospital{20000, 15000, 8, 3};
  for (const char* epsilon : {"1", "2", "4"}) {
    EXPECT_EQ(choose({.mean_degree = 6}, Relation::Node, hospital, {{"epsilon", epsilon}}).method, "mlp-dp") << epsilon;
    for (const double degree : {3.0, 10.0, 20.0, 50.0}) {
      const std::unique_ptr<Experiment> lap =
          Experiment::from("lap", {{"epsilon", epsilon}, {"mean-degree", std::to_string(degree)}});
      const bool drowned = contacts_drowned(signals_of(prepare(*lap, Relation::Node, hospital), degree));
      EXPECT_EQ(choose({.mean_degree = degree}, Relation::Node, hospital, {{"epsilon", epsilon}}).method,
                drowned ? "mlp-dp" : "lap")
          << epsilon << " " << degree;
    }
  }
  EXPECT_EQ(choose({}, Relation::Node, hospital, {{"epsilon", "2"}}).method, "mlp-dp") << "ten are assumed";
  EXPECT_EQ(choose({.mean_degree = 50}, Relation::Node, hospital, {{"epsilon", "1"}}).method, "lap");
}

TEST(AutoChoice, PropagatesOnlyWhenPredictionsNeedNoCover) {
  EXPECT_EQ(value(choose({}, Relation::Node, kFacts), "propagate"), "");
  const AutoChoice dense = choose({.predictions = false, .mean_degree = 40}, Relation::Node, kFacts);
  EXPECT_EQ(value(dense, "propagate"), "1");
  EXPECT_EQ(value(dense, "propagate-on"), "probabilities");
  const AutoChoice sparse = choose({.predictions = false, .mean_degree = 4}, Relation::Node, kFacts);
  EXPECT_EQ(value(sparse, "propagate"), "2");
}

TEST(AutoChoice, FewLabelsMeanMoreRounds) {
  EXPECT_EQ(value(choose({}, Relation::Node, {1000, 200, 50, 5}), "rounds"), "3");
  EXPECT_EQ(value(choose({}, Relation::Node, kFacts), "rounds"), "");
}

TEST(AutoChoice, SaysWhyAndNamesOptionsThatExist) {
  for (Relation relation : bound::all_relations()) {
    for (std::optional<double> degree :
         {std::optional<double>(), std::optional<double>(0.2), std::optional<double>(90)}) {
      const AutoChoice choice = choose({.mean_degree = degree}, relation, {1000, 100, 50, 5});
      EXPECT_FALSE(choice.why.empty());
      Experiment experiment(choice.method);
      for (const auto& [name, text] : choice.options) EXPECT_NO_THROW(experiment.set(name, text)) << name;
    }
  }
}

TEST(AutoExperiment, IsARunOfTheChosenMethodWithTheSettingsThatWereGiven) {
  Settings settings;
  AutoWishes wishes;
  Options given;
  settings.declare(given);
  wishes.declare(given);
  given.set("epsilon", "3");
  given.set("mean-degree", "80");
  const InputData input{graph::generate(graph::preset("tiny"), Seed::from_number(1)), std::nullopt};
  const AutoExperiment chosen = choose_experiment(wishes, given, input);
  EXPECT_EQ(chosen.experiment->method().describe().name, chosen.choice.method);
  EXPECT_EQ(chosen.experiment->settings().epsilon, 3);
  EXPECT_EQ(chosen.experiment->settings().relation, Relation::Node);
  for (const auto& [name, text] : chosen.choice.options) {
    EXPECT_EQ(chosen.experiment->options().find(name)->text(), text) << name;
  }
}

}  // namespace
}  // namespace graphveil::run::auto_choice_test
