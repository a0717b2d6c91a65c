#include "graphveil/run/advise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/method/registry.h"

namespace graphveil::run::advise_test {
namespace {

using bound::Relation;

KnownFacts some(Relation relation, double epsilon = 1) {
  KnownFacts known;
  known.facts = {2000, 1500, 20, 3, 0};
  known.relation = relation;
  known.epsilon = epsilon;
  return known;
}

Advised row(const Advice& advice, const std::string& method) {
  for (const Advised& one : advice.methods) {
    if (one.method == method) return one;
  }
  throw std::runtime_error(method + " is not there");
}

TEST(Advise, HasEveryMethodOfTheRelationAndNoOther) {
  const Advice advice = advise(some(Relation::UndirectedEdge));
  for (const std::string& name : method::method_names()) {
    const std::vector<Relation> relations = method::make_method(name)->relations();
    const bool wanted = method::role_of(name) == method::Role::Yours &&
                        std::find(relations.begin(), relations.end(), Relation::UndirectedEdge) != relations.end();
    const bool there = std::any_of(advice.methods.begin(), advice.methods.end(),
                                   [&](const Advised& one) { return one.method == name; });
    EXPECT_EQ(there, wanted) << name;
  }
  EXPECT_EQ(advice.choice.method, "lap");
  EXPECT_EQ(advice.worth.size(), 2u);
}

// The noise is that which the plan of a run has.
TEST(Advise, SaysTheNoiseThatARunWouldHave) {
  const KnownFacts known = some(Relation::Node, 2);
  const Advised mlp = row(advise(known), "mlp-dp");
  Experiment experiment("mlp-dp");
  experiment.set("epsilon", 2);
  const Prepared prepared = prepare(experiment, Relation::Node, known.facts);
  const auto& event = prepared.plan.lines().front().event;
  EXPECT_DOUBLE_EQ(mlp.noise, std::get<account::Gaussian>(mechanism::mechanism_of(event).mechanism).noise_multiplier);
  ASSERT_TRUE(mlp.signals.features);
  EXPECT_NEAR(*mlp.signals.features, *signals_of(prepared, std::nullopt).features, 1e-9);
  EXPECT_FALSE(mlp.signals.contacts) << "it reads none";
}

TEST(Advise, MoreBudgetMeansAStrongerSignalAndAStrongSignalIsNotDrowned) {
  const Advised weak = row(advise(some(Relation::Node, 0.1)), "mlp-dp"),
                strong = row(advise(some(Relation::Node, 8)), "mlp-dp");
  ASSERT_TRUE(weak.signals.features && strong.signals.features);
  EXPECT_LT(*weak.signals.features, *strong.signals.features);
  EXPECT_GT(weak.noise, strong.noise);
}

// Twice as many contacts that agree say twice as much.
TEST(Advise, ContactsSayTheMoreTheMoreThereAre) {
  KnownFacts few = some(Relation::UndirectedEdge), many = few;
  few.mean_degree = 8;
  many.mean_degree = 16;
  const Advised a = row(advise(few), "gap-edp"), b = row(advise(many), "gap-edp");
  ASSERT_TRUE(a.signals.contacts && b.signals.contacts);
  EXPECT_NEAR(*b.signals.contacts / *a.signals.contacts, 2, 1e-9);
  EXPECT_FALSE(a.signals.features) << "they are public";
}

// Sums over neighbors have a sensitivity of the root of the degree: a fifth of it takes the noise down to 1/sqrt(5)
// where the budget is divided as before; lap then gives the sums a little more.
TEST(Advise, ALowerDegreeIsWorthWhatTheRootOfItSays) {
  const Advice advice = advise(some(Relation::Node));
  EXPECT_EQ(advice.worth[0].option, "--protect-degree");
  double percent = 0;
  ASSERT_EQ(std::sscanf(advice.worth[0].gain.c_str(),
                        "20 in place of 100 brings the noise on sums over contacts down to %lf%%", &percent),
            1)
      << advice.worth[0].gain;
  EXPECT_GT(percent, 20);
  EXPECT_LT(percent, 90);
}

TEST(Advise, WhatCannotBeHadSaysWhy) {
  EXPECT_NE(row(advise(some(Relation::Node)), "oneshot").refused.find("public graph"), std::string::npos);
  KnownFacts with_pool = some(Relation::Node);
  with_pool.facts.public_pool = 500;
  EXPECT_EQ(row(advise(with_pool), "oneshot").refused, "");
  KnownFacts wrong = some(Relation::Node);
  wrong.facts.classes = 1;
  EXPECT_THROW(advise(wrong), Error);
}

}  // namespace
}  // namespace graphveil::run::advise_test
