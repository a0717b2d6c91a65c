#include "graphveil/method/gap/gap.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/calibrate.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::gap_test {
namespace {

TEST(GapEdp, NoiseOfTheReferenceExperiments) {
  const GapEdge gap(true);
  const auto noise = [&](bound::Relation relation) {
    return account::calibrate([&](double n) { return gap.plan(n, {.relation = relation, .facts = {}}).ledger(); }, 4,
                              1e-7)
        .noise;
  };
  // Two hops, epsilon 4, delta 1e-7: sigma 1.8354 for an edge, sqrt(2) times that for both of its directions.
  EXPECT_NEAR(noise(bound::Relation::Edge), 1.8354, 0.001 * 1.8354);
  EXPECT_NEAR(noise(bound::Relation::UndirectedEdge) * std::sqrt(2.0), 2.5957, 0.001 * 2.5957);
}

TEST(GapEdp, ThePapersFormulaAsksForMoreNoise) {
  const GapEdge gap(true);
  // Proposition 2 at K = 2 and sigma 1.8354 gives epsilon 4.67, so epsilon 4 wants more.
  EXPECT_GT(gap.published(4, 1e-7, {.relation = bound::Relation::Edge, .facts = {}})->noise, 1.9);
  EXPECT_FALSE(GapEdge(false).published(4, 1e-7, {.relation = bound::Relation::Edge, .facts = {}}).has_value());
  // Its sensitivity is that of one direction, so that an undirected edge gets too little noise.
  const Published undirected = *gap.published(4, 1e-7, {.relation = bound::Relation::UndirectedEdge, .facts = {}});
  EXPECT_LT(undirected.noise, 1.8354);
  EXPECT_EQ(undirected.reasons.size(), 1u);
}

TEST(GapNdp, NoiseOfTheReferenceExperiments) {
  GapNode gap;
  gap.use_paper_settings();
  const PublicFacts berkeley{18939, 14204, 437, 6};
  // In units of each line's sensitivity, so the same under both relations.
  for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
    const Setting setting{relation, 100, berkeley};
    const double noise = account::calibrate([&](double n) { return gap.plan(n, setting).ledger(); }, 8, 1e-5).noise;
    EXPECT_NEAR(noise, 0.982, 0.002 * 0.982);
  }
}

TEST(GapNdp, NoiseSplitScalesTheStages) {
  GapNode gap;
  Options options;
  gap.declare(options);
  options.set("noise-split", "1:2:0.5");
  const Plan plan = gap.plan(3, tiny_setting(bound::Relation::Node));
  ASSERT_EQ(plan.lines().size(), 3u);
  EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{3}));
  EXPECT_EQ(plan.lines()[1].event.mechanism(), account::Mechanism(account::Gaussian{6}));
  EXPECT_EQ(plan.lines()[2].event.mechanism(), account::Mechanism(account::Gaussian{1.5}));
  for (const char* bad : {"", "1", "1:2", "1:2:3:4", "1:0:1", "1:-1:1", "a:b:c", "1:nan:1"}) {
    options.set("noise-split", bad);
    EXPECT_THROW(gap.plan(3, tiny_setting(bound::Relation::Node)), Error) << bad;
  }
}

TEST(GapNdp, SharesAreAsAsked) {
  GapNode gap;
  Options options;
  gap.declare(options);
  options.set("shares", "1:6:3");
  options.set("hops", "3");
  const Plan plan = gap.plan(2, tiny_setting(bound::Relation::Node));
  ASSERT_EQ(plan.lines().size(), 3u);
  double total = 0;
  std::vector<double> parts;
  for (const mechanism::PlanLine& line : plan.lines()) {
    const account::Event& event = line.event;
    const double noise = std::get<account::Gaussian>(event.mechanism()).noise_multiplier;
    parts.push_back(static_cast<double>(event.count()) / (noise * noise));
    total += parts.back();
  }
  EXPECT_NEAR(total, 0.25, 1e-9);
  EXPECT_NEAR(parts[0] / total, 0.1, 1e-9);
  EXPECT_NEAR(parts[1] / total, 0.6, 1e-9);
  EXPECT_NEAR(parts[2] / total, 0.3, 1e-9);
  options.set("encoder-layers", "0");  // what the encoder would get goes to the others
  const Plan rest = gap.plan(2, tiny_setting(bound::Relation::Node));
  EXPECT_NEAR(2 * std::sqrt(3 / (6.0 / 9)),
              std::get<account::Gaussian>(rest.lines()[0].event.mechanism()).noise_multiplier, 1e-9);
  options.set("shares", "1:2");
  EXPECT_THROW(gap.plan(3, tiny_setting(bound::Relation::Node)), Error);
}

TEST(GapNdp, LinearClassifierStartsWithItsHops) {
  GapArchitecture architecture;
  architecture.base_layers = 0;
  architecture.batch_norm = false;
  Matrix own(2, 4);
  std::vector<Matrix> hops;
  for (int k = 0; k < 2; ++k) hops.emplace_back(2, 4);
  own(0, 2) = hops[0](0, 2) = hops[1](0, 1) = 1;
  GapClassifier classifier(own, hops, 4, architecture, Seed::from_number(1));
  const Matrix p = class_probabilities(classifier, 2);
  EXPECT_GT(p(0, 2), p(0, 1));
  EXPECT_GT(p(0, 1), p(0, 0));
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(p(1, k), 0.25, 1e-6);
}

// A few epochs of gap-ndp on the tiny graph.
GapNode quick(const std::string& weights) {
  GapNode gap;
  Options options;
  gap.declare(options);
  for (const char* option : {"epochs", "encoder-epochs"}) options.set(option, "1");
  options.set("batch-size", "100");
  options.set("weights", weights);
  options.set("max-degree", "9");
  return gap;
}

TEST(GapNdp, SensitivityFollowsTheWeightsUnderRecordAndTheDegreeUnderNode) {
  for (const auto& [weights, expected] :
       std::vector<std::pair<std::string, double>>{{"sqrt-degree", 1}, {"soft-cap", 3}, {"drop", 3}}) {
    const GapNode gap = quick(weights);
    for (const bound::Relation relation : {bound::Relation::Record, bound::Relation::Node}) {
      Release release = any_release(relation, gap.plan(1, tiny_setting(relation)));
      gap.run(tiny_task(relation), release);
      EXPECT_DOUBLE_EQ(release.spent().line("aggregation").sensitivity(),
                       relation == bound::Relation::Record ? expected : std::sqrt(double{kTinyDegree}))
          << weights;
    }
  }
}

// A search may try values of D where it is read: the sums are more sensitive and have as much more noise, and no event
// of the ledger changes. Another number of hops is another ledger.
TEST(GapNdp, TheLedgerIsTheSameForEveryCap) {
  const Setting record = tiny_setting(bound::Relation::Record);
  const auto offers = [](const std::vector<Tunable>& list, const char* option) {
    return std::ranges::any_of(list, [&](const Tunable& t) { return t.option == option; });
  };
  for (const char* weights : {"drop", "soft-cap"}) {
    GapNode gap = quick(weights);
    EXPECT_TRUE(offers(gap.tunables(bound::Relation::Record), "max-degree"));
    EXPECT_FALSE(offers(gap.unpaid_tunables(bound::Relation::Record), "max-degree"));
    EXPECT_FALSE(offers(gap.tunables(bound::Relation::Node), "max-degree"));
    Options options;
    gap.declare(options);
    options.set("max-degree", "100");
    const Plan hundred = gap.plan(2, record);
    options.set("max-degree", "400");
    const Plan more = gap.plan(2, record);
    EXPECT_EQ(hundred.ledger(), more.ledger());
    EXPECT_DOUBLE_EQ(more.line("aggregation").sensitivity(), 2 * hundred.line("aggregation").sensitivity());
    EXPECT_DOUBLE_EQ(mechanism::noise_scale(more.line("aggregation")),
                     2 * mechanism::noise_scale(hundred.line("aggregation")));
    options.set("hops", "3");
    EXPECT_FALSE(hundred.ledger() == gap.plan(2, record).ledger());
  }
  const GapNode weighted = quick("sqrt-degree");
  EXPECT_FALSE(offers(weighted.tunables(bound::Relation::Record), "max-degree"));
  EXPECT_TRUE(offers(weighted.unpaid_tunables(bound::Relation::Record), "max-degree"));
}

// The plan of a node of other degree is not this one's.
TEST(GapNdp, RefusesATaskOfAnotherDegree) {
  const GapNode gap = quick("sqrt-degree");
  Release release = any_release(bound::Relation::Node, gap.plan(1, tiny_setting(bound::Relation::Node)));
  Task task = tiny_task(bound::Relation::Node);
  task.protect_degree = kTinyDegree + 1;
  EXPECT_THROW(gap.run(task, release), Error);
}

TEST(Gap, WithoutEncoderAggregatesTheFeatures) {
  GapEdge gap(true);
  Options options;
  gap.declare(options);
  options.set("encoder-layers", "0");
  options.set("epochs", "3");
  Release release = any_release(bound::Relation::Edge, gap.plan(1, tiny_setting(bound::Relation::Edge)));
  const Output output = gap.run(tiny_task(bound::Relation::Edge), release);
  EXPECT_EQ(output.sums.private_value().at("aggregation/1").shape,
            (std::vector<int64_t>{tiny_data().nodes(), tiny_data().features.cols()}));
  EXPECT_EQ(output.model.value().count("encoder/encoder.0.weight"), 0u);
}

// Rows about nodes are nobody else's: the model has parameters alone, and what is kept beside it are released sums.
TEST(GapNdp, TheModelHoldsNoRowsOfNodes) {
  const GapNode gap = quick("sqrt-degree");
  for (const bound::Relation relation : gap.relations()) {
    Release release = any_release(relation, gap.plan(1, tiny_setting(relation)));
    const Output output = gap.run(tiny_task(relation), release);
    EXPECT_FALSE(output.model.value().empty());
    for (const auto& [name, tensor] : output.model.value()) EXPECT_NE(tensor.shape.at(0), tiny_data().nodes()) << name;
    EXPECT_EQ(output.sums.private_value().count("aggregation/0"), 0u) << "the 0-hop rows are records";
    EXPECT_EQ(output.sums.private_value().size(), 2u);
  }
}

}  // namespace
}  // namespace graphveil::method::gap_test
