#include "graphveil/method/dpar/dpar.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::dpar_test {
namespace {

constexpr SelectionNoise kAll[] = {SelectionNoise::Gaussian, SelectionNoise::Picks, SelectionNoise::PicksWithValues};

void set(Method& method, std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options;
  method.declare(options);
  for (const auto& [name, value] : values) options.set(name, value);
}

Output run(const Method& method, bound::Relation relation, double noise) {
  Release release = noise > 0 ? any_release(relation, method.plan(noise, tiny_setting(relation)))
                              : Release::clear(relation, method.plan(0, tiny_setting(relation)));
  Output output = method.run(tiny_task(relation), release);
  EXPECT_TRUE(release.complete());
  return output;
}

// By default no sample reads a neighbor: the plan is one line, that of mlp-dp with the same settings.
TEST(Dpar, WithoutNeighborsCostsWhatAnMlpDoes) {
  const Dpar dpar(SelectionNoise::Gaussian);
  const Setting setting = tiny_setting(bound::Relation::Node);
  MlpDp rival;
  Options options;
  rival.declare(options);
  options.set("steps", "200");
  options.set("max-grad-norm", "0.5");
  const Plan plan = dpar.plan(3, setting), mlp = rival.plan(3 * std::sqrt(200.0), setting);
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].sensitivity(), mlp.lines()[0].sensitivity());
  EXPECT_EQ(plan.lines()[0].event.count(), mlp.lines()[0].event.count());
  EXPECT_EQ(plan.lines()[0].event.sampling(), mlp.lines()[0].event.sampling());
  EXPECT_NEAR(mechanism::noise_scale(plan.lines()[0]), mechanism::noise_scale(mlp.lines()[0]), 1e-9);
  ASSERT_EQ(dpar.outlook(dpar.plan(3, setting), setting).size(), 1u);
  EXPECT_NE(dpar.outlook(dpar.plan(3, setting), setting)[0].find("--column-cap 0"), std::string::npos);
}

// PageRank and training take their shares of one budget: together they cost about what one Gaussian of the knob would.
TEST(Dpar, SharesTheBudgetAsSaid) {
  const Setting setting = tiny_setting(bound::Relation::Node);
  account::Ledger whole;
  whole.add(account::Event("whole", account::Gaussian{3}));
  const double wanted = account::spent_epsilon(whole, 1e-5);
  for (const SelectionNoise noise : kAll) {
    Dpar dpar(noise);
    set(dpar, {{"column-cap", "2"}, {"ppr-share", "0.3"}, {"batch-size", "full"}});
    const Plan plan = dpar.plan(3, setting);
    EXPECT_EQ(bound::reads(plan.lines().front().source()), bound::Reads::ClippedRows);
    EXPECT_EQ(bound::reads(plan.lines().back().source()), bound::Reads::OwnRecords);
    // Exponential mechanisms of bounded range cost a little less than their zCDP says.
    EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 1e-5), wanted, 0.06 * wanted) << plan.lines().size();
  }
}

TEST(Dpar, LearnsUnderEveryRelation) {
  for (const SelectionNoise noise : kAll) {
    Dpar dpar(noise);
    for (const bound::Relation relation : dpar.relations()) {
      const Output output = run(dpar, relation, 0.05);
      EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 0.5) << bound::name(relation);
      EXPECT_EQ(audience(output.predictions), dpar.predictions(relation).audience);
    }
    set(dpar, {{"column-cap", "1"}});
    EXPECT_GT(accuracy_on(values(run(dpar, bound::Relation::Node, 0.02).predictions), tiny_split().test), 0.5);
  }
  EXPECT_GT(accuracy_on(values(run(DparInf(), bound::Relation::Edge, 0).predictions), tiny_split().test), 0.7);
}

// With little noise the outlook promises picks, with much it says that they are random.
TEST(Dpar, TheOutlookFollowsTheNoise) {
  const Setting setting = tiny_setting(bound::Relation::Node);
  for (const SelectionNoise noise : kAll) {
    Dpar dpar(noise);
    set(dpar, {{"column-cap", "1"}});
    const auto says_random = [&](double knob) {
      return dpar.outlook(dpar.plan(knob, setting), setting)[0].find("random") != std::string::npos;
    };
    EXPECT_TRUE(says_random(10));
    EXPECT_FALSE(says_random(1e-4));
  }
}

// On a sample of the records the whole ledger is one event, and costs ln(1 + q (e^epsilon - 1)) at q delta, not q
// epsilon.
TEST(Dpar, ASampleOfTheRecordsAmplifiesAsItDoes) {
  Dpar all(SelectionNoise::Gaussian), sampled(SelectionNoise::Gaussian);
  set(all, {{"column-cap", "1"}});
  set(sampled, {{"column-cap", "1"}, {"node-rate", "0.1"}});
  const Setting setting = tiny_setting(bound::Relation::Node);
  const double whole = account::spent_epsilon(all.plan(0.5, setting).ledger(), 1e-4);
  const double part = account::spent_epsilon(sampled.plan(0.5, setting).ledger(), 1e-5);
  EXPECT_NEAR(part, std::log1p(0.1 * std::expm1(whole)), 0.02 * part);
  EXPECT_GT(part, 0.1 * whole);
  EXPECT_EQ(run(sampled, bound::Relation::Node, 0.5).model.value().size(),
            run(all, bound::Relation::Node, 0.5).model.value().size());
}

}  // namespace
}  // namespace graphveil::method::dpar_test
