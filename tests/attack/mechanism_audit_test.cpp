#include "graphveil/attack/mechanism_audit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/gdp.h"
#include "graphveil/bound/neighbor_sum.h"
#include "tests/attack/planted_games.h"

namespace graphveil::attack::mechanism_audit_test {
namespace {

AuditRow audit_planted(Mistake mistake, double epsilon, double delta) {
  // Two rounds of multiplier s are 1/s * sqrt(2)-GDP.
  double low = 1e-3, high = 1e3;
  for (int i = 0; i < 100; ++i) {
    const double s = std::sqrt(low * high);
    (account::gdp_epsilon(std::sqrt(2.0) / s, delta) > epsilon ? low : high) = s;
  }
  const PlantedGame game(mistake, high);
  return audit({"planted", {&game}, 1, epsilon, delta}, {.trials = 200'000, .seed = Seed::from_number(1)});
}

TEST(MechanismAudit, FindsPlantedMistakes) {
  for (const double epsilon : {1.0, 4.0}) {
    EXPECT_FALSE(audit_planted(Mistake::None, epsilon, 1e-4).refuted()) << epsilon;
    EXPECT_TRUE(audit_planted(Mistake::ForgottenClip, epsilon, 1e-4).refuted()) << epsilon;
    EXPECT_TRUE(audit_planted(Mistake::InDegreeSampling, epsilon, 1e-4).refuted()) << epsilon;
    EXPECT_TRUE(audit_planted(Mistake::ReusedNoise, epsilon, 1e-4).refuted()) << epsilon;
    const AuditRow half = audit_planted(Mistake::HalfTheNoise, epsilon, 1e-4);
    EXPECT_TRUE(half.refuted()) << epsilon << " " << half.bound.low;
  }
}

// The noise that a planted mistake leaves is what the game sees: half the noise is twice the shift.
TEST(MechanismAudit, HalfTheNoiseOfTheProgramsOwnSums) {
  const method::Setting setting{.protect_degree = 2, .facts = {.classes = 3}};
  const auto line = [](double s) {
    return mechanism::PlanLine{account::Event("sum", account::Gaussian{s}),
                               bound::neighbor_sum_bound({.relation = bound::Relation::Node, .protect_degree = 2})};
  };
  const double claimed = account::gdp_epsilon(1 / 4.0, 1e-4);
  const AuditOptions options{.trials = 400'000, .seed = Seed::from_number(1)};
  const auto whole = make_game(line(4), setting), half = make_game(line(2), setting);
  EXPECT_FALSE(audit({"as planned", {whole.get()}, 1, claimed, 1e-4}, options).refuted());
  EXPECT_TRUE(audit({"half", {half.get()}, 1, claimed, 1e-4}, options).refuted());
}

TEST(MechanismAudit, TightClaimsStandOverManySeeds) {
  for (const double epsilon : {1.0, 4.0}) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      for (const AuditRow& row :
           audit_mechanisms(epsilon, 1e-4, {.draws = 2e4, .most_trials = 10'000, .seed = Seed::from_number(seed)})) {
        EXPECT_FALSE(row.refuted()) << row.what << ", seed " << seed << ": " << row.bound.low << " of " << row.claimed;
      }
    }
  }
}

TEST(MechanismAudit, IsSharpForGaussianAndLaplaceNoise) {
  for (const double epsilon : {1.0, 4.0}) {
    for (const AuditRow& row : audit_mechanisms(epsilon, 1e-3, {.draws = 2e6, .seed = Seed::from_number(3)})) {
      const bool sharp = row.what.starts_with("neighbor") || row.what.starts_with("GNMax") ||
                         row.what.find("full batches") != std::string::npos ||
                         row.what.find("Laplace") != std::string::npos;
      if (sharp) {
        EXPECT_GE(row.bound.low, 0.6 * row.claimed) << row.what << " at epsilon " << epsilon;
      }
      EXPECT_FALSE(row.refuted()) << row.what;
    }
  }
}

TEST(MechanismAudit, AWholePlanWithItsLines) {
  run::Experiment experiment("gap-ndp");
  experiment.set("epsilon", "4");
  experiment.set("delta", "1e-4");
  experiment.set("protect-degree", "3");
  const run::Prepared prepared =
      run::prepare(experiment, bound::Relation::Node, {.nodes = 200, .train_nodes = 150, .features = 5, .classes = 3});
  const std::vector<AuditRow> rows = audit_plan(prepared, {.draws = 3e6, .seed = Seed::from_number(1)});
  ASSERT_EQ(rows.size(), prepared.plan.lines().size() + 1);
  EXPECT_LE(rows.back().claimed, 4);
  for (const AuditRow& row : rows) {
    EXPECT_FALSE(row.refuted()) << row.what;
    EXPECT_LT(row.claimed, 4 + 1e-9);
  }
  EXPECT_GT(rows.back().bound.low, 1);
}

TEST(MechanismAudit, WhatPromisesNothingHasNoRows) {
  const run::Experiment experiment("gap-inf");
  const run::Prepared prepared =
      run::prepare(experiment, bound::Relation::Edge, {.nodes = 200, .train_nodes = 150, .features = 5, .classes = 3});
  EXPECT_TRUE(audit_plan(prepared, {}).empty());
}

TEST(MechanismAudit, WhatReadsNothingCostsNothing) {
  const run::Experiment experiment("mlp");
  const run::Prepared prepared =
      run::prepare(experiment, bound::Relation::Edge, {.nodes = 200, .train_nodes = 150, .features = 5, .classes = 3});
  const std::vector<AuditRow> rows = audit_plan(prepared, {});
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].claimed, 0);
  EXPECT_FALSE(rows[0].refuted());
}

TEST(MechanismAudit, TheSameSeedGivesTheSameRows) {
  const AuditOptions options{.draws = 1e4, .seed = Seed::from_number(5)};
  const auto a = audit_mechanisms(2, 1e-4, options), b = audit_mechanisms(2, 1e-4, options);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].bound.low, b[i].bound.low) << a[i].what;
}

}  // namespace
}  // namespace graphveil::attack::mechanism_audit_test
