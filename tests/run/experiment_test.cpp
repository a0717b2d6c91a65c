#include "graphveil/run/experiment.h"

#include <algorithm>
#include <cmath>

#include "graphveil/account/accountant.h"
#include "tests/run/small_run.h"

namespace graphveil::run::experiment_test {
namespace {

using bound::Relation;

constexpr method::PublicFacts kFacts{18939, 14204, 500, 6, 1000};

TEST(Experiment, OptionsOfMethodAndSettingsTogether) {
  Experiment experiment("gap-edp");
  experiment.set("hops", "3");
  experiment.set("epsilon", "2.5");
  EXPECT_EQ(experiment.settings().epsilon, 2.5);
  Experiment again("gap-edp");
  for (const auto& [name, value] : experiment.values()) again.set(name, value);
  EXPECT_EQ(again.values(), experiment.values());
  EXPECT_EQ(config_text(again), config_text(experiment));
  EXPECT_NE(config_text(again).find("# graphveil train gap-edp\n"), std::string::npos);
  EXPECT_NE(config_text(again).find("hops = 3\n"), std::string::npos);
  EXPECT_THROW(Experiment("magic"), Error);
  EXPECT_THROW(experiment.set("magic", "1"), Error);
  EXPECT_THROW(experiment.use_preset("magic"), Error);
}

TEST(Experiment, PresetsAreTheMethodsOwn) {
  Experiment linear("dpgnn");
  linear.use_preset("linear");
  const std::vector<std::pair<std::string, std::string>> values = linear.values();
  EXPECT_NE(std::find(values.begin(), values.end(), std::pair<std::string, std::string>("linear", "true")),
            values.end());
  // What a preset sets is in the config: the same options without the preset give the same plan.
  for (const char* preset : {"linear", "paper", "paper-arxiv-disjoint-gin-2-layers"}) {
    Experiment chosen("dpgnn");
    chosen.use_preset(preset);
    const auto again = Experiment::from("dpgnn", chosen.values());
    const method::Setting setting{Relation::Record, 100, {169343, 90941, 128, 40}, 12, 1e-6};
    const mechanism::PlanLine a = chosen.method().plan(1, setting).lines()[0];
    const mechanism::PlanLine b = again->method().plan(1, setting).lines()[0];
    EXPECT_EQ(a.event.count(), b.event.count()) << preset;
    EXPECT_EQ(a.sensitivity(), b.sensitivity()) << preset;
    EXPECT_EQ(again->method().variant(), chosen.method().variant()) << preset;
  }
  try {
    Experiment("gap-edp").use_preset("linear");
    FAIL() << "gap-edp has no such preset";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "--preset is 'linear', want default, paper");
  }
}

TEST(ChosenRelation, TheMethodsDefaultForTheGraph) {
  EXPECT_EQ(chosen_relation(Experiment("gap-edp"), true), Relation::UndirectedEdge);
  EXPECT_EQ(chosen_relation(Experiment("gap-edp"), false), Relation::Edge);
  EXPECT_EQ(chosen_relation(Experiment("gap-ndp"), true), Relation::Node);
  EXPECT_EQ(chosen_relation(*quick("gap-ndp", {{"accounting", "published"}}), true), Relation::Record);
  EXPECT_EQ(chosen_relation(*quick("gap-ndp", {{"relation", "record"}}), true), Relation::Record);
  EXPECT_THROW(chosen_relation(*quick("gap-edp", {{"relation", "node"}}), true), Error);
  EXPECT_THROW(chosen_relation(*quick("gap-edp", {{"relation", "undirected-edge"}}), false), Error);
  EXPECT_THROW(chosen_relation(*quick("gap-inf", {{"relation", "edge"}}), true), Error);
}

// The public facts of cora, cora_ml, amazon_photo and Rutgers89, split 75/10/15.
constexpr method::PublicFacts kCora{2708, 2031, 1433, 7, 700}, kCoraMl{2995, 2246, 2879, 7, 700},
    kPhoto{7650, 5737, 745, 8, 2300}, kRutgers{20021, 15015, 376, 5, 5000};

std::vector<std::string> warned(const char* method, const method::OptionValues& values,
                                const method::PublicFacts& facts) {
  const auto experiment = Experiment::from(method, values);
  const Prepared prepared = prepare(*experiment, Relation::Node, facts);
  return experiment->method().drowned(prepared.plan, prepared.setting);
}

TEST(Drowned, IsSaidBeforeRunsThatGuessTheMajority) {
  EXPECT_EQ(warned("progap-ndp", {{"epsilon", "1"}}, kCora).size(), 1u);
  EXPECT_EQ(warned("progap-ndp", {{"epsilon", "1"}}, kCoraMl).size(), 1u);
  EXPECT_EQ(warned("sage-ndp", {{"epsilon", "8"}}, kCora).size(), 1u);
  EXPECT_EQ(warned("mlp-dp", {{"epsilon", "0.1"}}, kCora).size(), 1u);
  const method::PublicFacts few{1300, 1300, 1433, 7, 700};
  ASSERT_EQ(warned("pate-m", {{"epsilon", "1"}}, few).size(), 1u);
  EXPECT_NE(warned("pate-m", {{"epsilon", "1"}}, few)[0].find("teachers"), std::string::npos);
}

TEST(Drowned, IsNotSaidOfRunsThatLearn) {
  for (const char* method : {"mlp-dp", "gap-ndp", "lap"}) {
    for (const method::PublicFacts& facts : {kCora, kCoraMl, kPhoto, kRutgers}) {
      EXPECT_TRUE(warned(method, {{"epsilon", "1"}}, facts).empty()) << method << ", " << facts.nodes;
    }
  }
  EXPECT_TRUE(warned("progap-ndp", {{"epsilon", "8"}}, kCora).empty());
  EXPECT_TRUE(warned("pate-m", {{"epsilon", "1"}}, {3800, 3800, 745, 8, 2300}).empty());
}

TEST(Prepare, FindsTheSmallestNoiseForTheTarget) {
  const auto experiment = quick("gap-edp", {{"epsilon", "3"}, {"delta", "1e-7"}});
  const Prepared prepared = prepare(*experiment, Relation::UndirectedEdge, kFacts);
  EXPECT_EQ(prepared.delta, 1e-7);
  EXPECT_EQ(prepared.cap, 3);
  const double epsilon = account::spent_epsilon(prepared.plan.ledger(), 1e-7);
  EXPECT_LE(epsilon, 3);
  EXPECT_GT(epsilon, 2.99);
  EXPECT_DOUBLE_EQ(mechanism::noise_scale(prepared.plan.lines()[0]), prepared.noise * std::sqrt(2.0));
}

TEST(Prepare, AFixedNoiseIsTakenAsItIs) {
  const auto experiment = quick("gap-edp", {{"noise-multiplier", "1.5"}, {"delta", "1e-7"}});
  const Prepared prepared = prepare(*experiment, Relation::Edge, kFacts);
  EXPECT_EQ(prepared.noise, 1.5);
  EXPECT_NEAR(account::spent_epsilon(prepared.plan.ledger(), 1e-7), gaussian_epsilon(std::sqrt(2.0) / 1.5, 1e-7), 1e-2);
}

// What there is to do is said, and nothing that was done already or does not help.
TEST(Prepare, ARefusalOfPublishedAccountingNamesWhatHelps) {
  const auto refused = [](const char* method, const char* preset, Relation relation) -> std::string {
    Experiment experiment(method);
    experiment.use_preset(preset);
    experiment.set("accounting", "published");
    try {
      prepare(experiment, relation, kFacts);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refused("gap-ndp", "default", Relation::Record).find("use --preset paper"), std::string::npos);
  EXPECT_EQ(refused("gap-ndp", "paper", Relation::Record), "");
  const std::string given = refused("gap-ndp", "paper", Relation::Node);
  EXPECT_NE(given.find("under relation node"), std::string::npos);
  EXPECT_EQ(given.find("preset"), std::string::npos) << given;
  EXPECT_EQ(refused("sage-edp", "default", Relation::Edge).find("preset"), std::string::npos);
}

TEST(Prepare, ABalancedSplitReadsLabelsSoNothingIsPromised) {
  EXPECT_THROW(prepare(*quick("privgnn", {{"balanced", "true"}}), Relation::Node, kFacts), Error);
  const OptionList paper{{"balanced", "true"}, {"accounting", "published"}, {"noise", "laplace"},
                         {"queries", "100"},   {"sampling-rate", "0.3"},    {"inverse-scale", "0.4"},
                         {"delta", "1e-4"}};
  const auto posterior = quick("privgnn", paper);
  const artifact::Certificate c = certify(prepare(*posterior, Relation::Node, kFacts), {}, false, {});
  EXPECT_TRUE(c.epsilon.has_value());
  EXPECT_FALSE(c.valid());
  // Noise on log-posteriors: no epsilon at any delta, and an automatic delta can be found.
  OptionList logarithm = paper;
  logarithm.back() = {"noise-on", "log-posterior"};
  const auto experiment = quick("privgnn", logarithm);
  const Prepared prepared = prepare(*experiment, Relation::Node, kFacts);
  EXPECT_DOUBLE_EQ(prepared.delta, 1e-5);
  const artifact::Certificate none = certify(prepared, prepared.plan, false, {});
  EXPECT_FALSE(none.epsilon.has_value());
  for (const artifact::EpsilonAt& at : none.epsilon_at) EXPECT_FALSE(at.epsilon.has_value());
  EXPECT_TRUE(none.published_epsilon.has_value());
}

// From public numbers: nodes and training nodes, never the number of edges.
TEST(Prepare, AutomaticDelta) {
  EXPECT_DOUBLE_EQ(prepare(*quick("mlp-dp"), Relation::Node, kFacts).delta, 1e-5);   // 14,204 training nodes
  EXPECT_DOUBLE_EQ(prepare(*quick("gap-edp"), Relation::Edge, kFacts).delta, 1e-7);  // 18,939 nodes, and two more
  EXPECT_DOUBLE_EQ(prepare(*quick("gap-edp"), Relation::Edge, {999, 1, 5, 2}).delta, 1e-5);
  EXPECT_EQ(prepare(*quick("sage-edp"), Relation::Edge, kFacts).delta, 0);  // pure: Laplace and randomized response
  EXPECT_EQ(prepare(*quick("sage-edp"), Relation::UndirectedEdge, kFacts).delta, 0);
  EXPECT_EQ(prepare(*quick("mlp"), Relation::Edge, kFacts).delta, 0);
  // Pure as well, but a thousand of them: with a delta they cost far less. One alone needs none.
  EXPECT_DOUBLE_EQ(prepare(*quick("privgnn"), Relation::Node, kFacts).delta, 1e-5);
  EXPECT_EQ(prepare(*quick("privgnn", {{"queries", "1"}}), Relation::Node, kFacts).delta, 0);
  EXPECT_DOUBLE_EQ(prepare(*quick("mlp-dp", {{"delta", "1e-3"}}), Relation::Node, kFacts).delta, 1e-3);
}

TEST(Prepare, PureDeltaZeroHasAFiniteEpsilon) {
  const auto experiment = quick("sage-edp", {{"epsilon", "2"}});
  const Prepared prepared = prepare(*experiment, Relation::UndirectedEdge, kFacts);
  const double epsilon = account::spent_epsilon(prepared.plan.ledger(), 0);
  EXPECT_LE(epsilon, 2);
  EXPECT_GT(epsilon, 1.9);
}

TEST(Prepare, PowersOfDigits) {
  EXPECT_DOUBLE_EQ(power_of_digits(18939), 1e-5);
  EXPECT_DOUBLE_EQ(power_of_digits(1354934), 1e-7);
  EXPECT_DOUBLE_EQ(power_of_digits(9), 0.1);
  EXPECT_DOUBLE_EQ(power_of_digits(10), 0.01);
  EXPECT_DOUBLE_EQ(power_of_digits(999), 1e-3);
}

TEST(Prepare, RefusesWhatCannotBe) {
  EXPECT_THROW(prepare(*quick("mlp-dp"), Relation::Node, {100, 0, 5, 2}), Error);
  EXPECT_THROW(prepare(*quick("sage-edp", {{"accounting", "published"}}), Relation::Edge, kFacts), Error);
  EXPECT_THROW(prepare(*quick("gap-inf", {{"accounting", "published"}}), Relation::Edge, kFacts), Error);
  EXPECT_THROW(
      prepare(*quick("gap-edp", {{"accounting", "published"}, {"noise-multiplier", "1"}}), Relation::Edge, kFacts),
      Error);
  EXPECT_THROW(prepare(*quick("mlp-dp", {{"delta", "0"}}), Relation::Node, kFacts),
               Error);  // Gaussian noise is not pure
}

}  // namespace
}  // namespace graphveil::run::experiment_test
