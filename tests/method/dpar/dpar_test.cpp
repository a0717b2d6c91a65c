#include "graphveil/method/dpar/dpar.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/graph/blank.h"
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

// By default lists are picked by private PageRank, and the run says what of it is not the paper's; of the paper's own
// settings it says nothing.
TEST(Dpar, ReleasesPageRankByDefaultAndSaysWhatDiffers) {
  for (const SelectionNoise noise : kAll) {
    Dpar dpar(noise);
    const Plan plan = dpar.plan(3, tiny_setting(bound::Relation::Node));
    EXPECT_EQ(plan.lines().size(), noise == SelectionNoise::PicksWithValues ? 3u : 2u);
    EXPECT_EQ(bound::reads(plan.lines().front().source()), bound::Reads::ClippedRows);
    for (const char* word : {"keeps its source", "train too", "linear softmax"}) {
      EXPECT_NE(dpar.variant().find(word), std::string::npos) << dpar.variant();
    }
    set(dpar, {{"lists", "random"}});
    EXPECT_NE(dpar.variant().find("not picked by PageRank"), std::string::npos);
    dpar.use_paper_settings();
    EXPECT_EQ(dpar.variant(), "");
  }
}

// A sample that reads its own node alone: the plan is one line, that of mlp-dp with the same settings.
TEST(Dpar, WithoutNeighborsCostsWhatAnMlpDoes) {
  Dpar dpar(SelectionNoise::Gaussian);
  set(dpar, {{"lists", "self"}});
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
  EXPECT_NE(dpar.outlook(dpar.plan(3, setting), setting)[0].find("--lists self"), std::string::npos);
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

// Without noise the paper's settings take a share of the training nodes, and lists from among them alone.
TEST(Dpar, WithoutNoiseAShareOfTheNodesTakesPart) {
  DparInf dpar;
  dpar.use_paper_settings();
  set(dpar, {{"node-rate", "0.4"}});
  const Plan plan = dpar.plan(0, tiny_setting(bound::Relation::Edge));
  const auto part = static_cast<double>(taking_part(0.4, static_cast<int64_t>(tiny_split().train.size())));
  EXPECT_NEAR(plan.lines()[0].sensitivity(), std::sqrt(2 * part), 1e-9);
  EXPECT_GT(accuracy_on(values(run(dpar, bound::Relation::Edge, 0).predictions), tiny_split().test), 0.5);
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

// What sampling records stands on: a blank record is the same to the bit, drawn or not. Two rates between which lies
// the coin of one node alone, whose record is blank as the relation has it; everything is released without noise.
TEST(Dpar, ABlankRecordIsTheSameDrawnOrNot) {
  for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
    const Task task = tiny_task(relation);
    std::vector<std::pair<double, int32_t>> coins;
    for (int32_t v = 0; v < task.data.nodes(); ++v) {
      coins.emplace_back(RandomStream(task.seed, "records", static_cast<uint64_t>(v)).uniform(), v);
    }
    std::sort(coins.begin(), coins.end());
    // A node to which others point, of the middle of the coins.
    size_t place = coins.size() / 2;
    while (task.data.graph.in(coins[place].second).size() < 3) ++place;
    const int32_t blank = coins[place].second;
    std::vector<bool> present(static_cast<size_t>(task.data.nodes()), true);
    present[static_cast<size_t>(blank)] = false;
    const graph::Dataset data = graph::with_blanks(
        task.data, present, relation == bound::Relation::Record ? graph::EdgesGone::Own : graph::EdgesGone::Both);
    const Task blanked{
        .data = data, .split = tiny_split(), .relation = relation, .protect_degree = kTinyDegree, .seed = task.seed};
    const auto model = [&](double rate) {
      Dpar dpar(SelectionNoise::Gaussian);
      const std::string text = fmt::format("{:.17g}", rate);
      set(dpar, {{"column-cap", "8"}, {"node-rate", text.c_str()}, {"batch-size", "full"}});
      Release release = Release::clear(relation, dpar.plan(0, tiny_setting(relation)));
      std::vector<std::vector<uint8_t>> bits;
      const Output output = dpar.run(blanked, release);
      for (const auto& [name, tensor] : output.model.value()) bits.push_back(tensor.bytes);
      return bits;
    };
    const double not_drawn = 0.5 * (coins[place - 1].first + coins[place].first);
    const double drawn = 0.5 * (coins[place].first + coins[place + 1].first);
    EXPECT_TRUE(model(not_drawn) == model(drawn)) << bound::name(relation);
    EXPECT_FALSE(model(0.2) == model(drawn));
  }
}

}  // namespace
}  // namespace graphveil::method::dpar_test
