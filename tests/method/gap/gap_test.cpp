#include "graphveil/method/gap/gap.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/calibrate.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

TEST(GapEdp, NoiseOfTheReferenceExperiments) {
  const GapEdge gap(true);
  const auto noise = [&](bound::Relation relation) {
    return account::calibrate([&](double n) { return gap.plan(n, relation, {}); }, 4, 1e-7).noise;
  };
  // Two hops, epsilon 4, delta 1e-7: sigma 1.8354 for an edge, sqrt(2) times that for both of its directions.
  EXPECT_NEAR(noise(bound::Relation::Edge), 1.8354, 0.001 * 1.8354);
  EXPECT_NEAR(noise(bound::Relation::UndirectedEdge) * std::sqrt(2.0), 2.5957, 0.001 * 2.5957);
}

TEST(GapEdp, ThePapersFormulaAsksForMoreNoise) {
  const GapEdge gap(true);
  // Proposition 2 at K = 2 and sigma 1.8354 gives epsilon 4.67, so epsilon 4 wants more.
  EXPECT_GT(gap.published(4, 1e-7, bound::Relation::Edge, {})->noise, 1.9);
  EXPECT_FALSE(GapEdge(false).published(4, 1e-7, bound::Relation::Edge, {}).has_value());
  // Its sensitivity is that of one direction, so that an undirected edge gets too little noise.
  const Published undirected = *gap.published(4, 1e-7, bound::Relation::UndirectedEdge, {});
  EXPECT_LT(undirected.noise, 1.8354);
  EXPECT_EQ(undirected.reasons.size(), 1u);
}

TEST(GapNdp, NoiseOfTheReferenceExperiments) {
  GapNode gap;
  gap.use_paper_settings();
  const PublicFacts berkeley{18939, 14204, 437, 6};
  const double noise =
      account::calibrate([&](double n) { return gap.plan(n, bound::Relation::Node, berkeley); }, 8, 1e-5).noise;
  EXPECT_NEAR(noise, 0.982, 0.002 * 0.982);
}

TEST(GapNdp, NoiseSplitScalesTheStages) {
  GapNode gap;
  Options options;
  gap.declare(options);
  options.set("noise-split", "1:2:0.5");
  const account::Ledger plan = gap.plan(3, bound::Relation::Node, tiny_facts());
  ASSERT_EQ(plan.events().size(), 3u);
  EXPECT_EQ(plan.events()[0].mechanism(), account::Mechanism(account::Gaussian{3}));
  EXPECT_EQ(plan.events()[1].mechanism(), account::Mechanism(account::Gaussian{6}));
  EXPECT_EQ(plan.events()[2].mechanism(), account::Mechanism(account::Gaussian{1.5}));
  for (const char* bad : {"", "1", "1:2", "1:2:3:4", "1:0:1", "1:-1:1", "a:b:c", "1:nan:1"}) {
    options.set("noise-split", bad);
    EXPECT_THROW(gap.plan(3, bound::Relation::Node, tiny_facts()), Error) << bad;
  }
}

TEST(GapNdp, SharesAreAsAsked) {
  GapNode gap;
  Options options;
  gap.declare(options);
  options.set("shares", "1:6:3");
  options.set("hops", "3");
  const account::Ledger plan = gap.plan(2, bound::Relation::Node, tiny_facts());
  ASSERT_EQ(plan.events().size(), 3u);
  double total = 0;
  std::vector<double> parts;
  for (const account::Event& event : plan.events()) {
    const double noise = std::get<account::Gaussian>(event.mechanism()).noise_multiplier;
    parts.push_back(static_cast<double>(event.count()) / (noise * noise));
    total += parts.back();
  }
  EXPECT_NEAR(total, 0.25, 1e-9);
  EXPECT_NEAR(parts[0] / total, 0.1, 1e-9);
  EXPECT_NEAR(parts[1] / total, 0.6, 1e-9);
  EXPECT_NEAR(parts[2] / total, 0.3, 1e-9);
  options.set("encoder-layers", "0");  // what the encoder would get goes to the others
  EXPECT_NEAR(2 * std::sqrt(3 / (6.0 / 9)),
              std::get<account::Gaussian>(gap.plan(2, bound::Relation::Node, tiny_facts()).events()[0].mechanism())
                  .noise_multiplier,
              1e-9);
  options.set("shares", "1:2");
  EXPECT_THROW(gap.plan(3, bound::Relation::Node, tiny_facts()), Error);
}

TEST(GapNdp, LinearClassifierStartsWithItsHops) {
  GapArchitecture architecture;
  architecture.base_layers = 0;
  architecture.batch_norm = false;
  std::vector<Matrix> hops;
  for (int k = 0; k < 3; ++k) hops.emplace_back(2, 4);
  hops[0](0, 2) = hops[1](0, 2) = hops[2](0, 1) = 1;
  GapClassifier classifier(hops, 4, architecture, Seed::from_number(1));
  const Matrix p = class_probabilities(classifier, 2);
  EXPECT_GT(p(0, 2), p(0, 1));
  EXPECT_GT(p(0, 1), p(0, 0));
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(p(1, k), 0.25, 1e-6);
}

TEST(GapNdp, SensitivityFollowsTheWeights) {
  for (const auto& [weights, expected] :
       std::vector<std::pair<std::string, double>>{{"sqrt-degree", 1}, {"soft-cap", 3}, {"drop", 3}}) {
    GapNode gap;
    Options options;
    gap.declare(options);
    for (const char* option : {"epochs", "encoder-epochs"}) options.set(option, "1");
    options.set("batch-size", "100");
    options.set("weights", weights);
    options.set("max-degree", "9");
    mechanism::Release release(bound::Relation::Node, gap.plan(1, bound::Relation::Node, tiny_facts()), kAnyBudget,
                               Seed::from_number(1));
    gap.run(tiny_task(bound::Relation::Node), 1, &release);
    EXPECT_DOUBLE_EQ(release.spent_lines()[1].sensitivity, expected) << weights;
  }
}

TEST(Gap, WithoutEncoderAggregatesTheFeatures) {
  GapEdge gap(true);
  Options options;
  gap.declare(options);
  options.set("encoder-layers", "0");
  options.set("epochs", "3");
  mechanism::Release release(bound::Relation::Edge, gap.plan(1, bound::Relation::Edge, tiny_facts()), kAnyBudget,
                             Seed::from_number(1));
  const Released released = gap.run(tiny_task(bound::Relation::Edge), 1, &release);
  EXPECT_EQ(released.model.at("aggregation/1").shape,
            (std::vector<int64_t>{tiny_data().nodes(), tiny_data().features.cols()}));
  EXPECT_EQ(released.model.count("encoder/encoder.0.weight"), 0u);
}

// The 0-hop rows are the node's own record: under `node` they must not be in what is released.
TEST(GapNdp, TheModelHoldsNoRawRows) {
  GapNode gap;
  Options options;
  gap.declare(options);
  for (const char* option : {"epochs", "encoder-epochs"}) options.set(option, "1");
  mechanism::Release release(bound::Relation::Node, gap.plan(1, bound::Relation::Node, tiny_facts()), kAnyBudget,
                             Seed::from_number(1));
  const Released released = gap.run(tiny_task(bound::Relation::Node), 1, &release);
  EXPECT_EQ(released.model.count("aggregation/0"), 0u);
  for (const auto& [name, tensor] : released.model) {
    if (name.rfind("aggregation/", 0) == 0) continue;
    EXPECT_NE(tensor.shape.at(0), tiny_data().nodes()) << name;
  }
}

}  // namespace
}  // namespace graphveil::method
