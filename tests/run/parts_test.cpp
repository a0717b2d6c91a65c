#include "graphveil/run/parts.h"

#include "graphveil/graph/split.h"
#include "graphveil/method/registry.h"
#include "tests/run/small_run.h"

namespace graphveil::run::parts_test {
namespace {

const Seed kSeed = Seed::from_number(3);

std::string message(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Parts, OneGraphAndItsSplit) {
  const InputData input{tiny(), std::nullopt};
  const auto experiment = quick("mlp-dp", {{"split", "50/20/30"}});
  const Parts parts = make_parts(*experiment, input, kSeed);
  const auto nodes = static_cast<double>(input.data.nodes());
  EXPECT_NEAR(static_cast<double>(parts.split.train.size()), 0.5 * nodes, 1);
  EXPECT_NEAR(static_cast<double>(parts.split.test.size()), 0.3 * nodes, 1);
  EXPECT_EQ(parts.evaluated_split.test, parts.split.test);
  EXPECT_FALSE(parts.public_graph.has_value());
  EXPECT_TRUE(parts.evaluated_ids.empty());
  const method::PublicFacts facts = public_facts(parts, input);
  EXPECT_EQ(facts.train_nodes, static_cast<int64_t>(parts.split.train.size()));
  EXPECT_EQ(facts.features, input.data.features.cols());
  EXPECT_EQ(facts, planned_facts(*experiment, input));  // known before anything is split
}

TEST(Parts, OfTwoPartsTheSecondTests) {
  const InputData input{tiny(), std::nullopt};
  const Parts parts = make_parts(*quick("mlp-dp", {{"split", "80/20"}}), input, kSeed);
  const auto nodes = static_cast<double>(input.data.nodes());
  EXPECT_NEAR(static_cast<double>(parts.split.train.size()), 0.8 * nodes, 1);
  EXPECT_NEAR(static_cast<double>(parts.split.test.size()), 0.2 * nodes, 1);
  EXPECT_TRUE(parts.split.val.empty());
  for (const char* wrong : {"80", "80/30", "0/100", "80/20/", "/20", "80/10/5/5", "a/b"}) {
    EXPECT_THROW(make_parts(*quick("mlp-dp", {{"split", wrong}}), input, kSeed), Error) << wrong;
  }
}

// Which ids train is public, so the split may not depend on an edge, a feature or a label's value.
TEST(Parts, TheSplitReadsOnlyWhoHasALabel) {
  const auto experiment = quick("mlp-dp");
  const graph::Dataset data = tiny();
  graph::Dataset changed = data;
  const int32_t to = data.graph.out(0)[0];
  changed.graph = without_edge(data.graph, 0, to);
  changed.features = Matrix(data.nodes(), 3);
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  for (int32_t& label : labels) label = (label + 1) % data.classes;
  changed.labels = std::move(labels);
  EXPECT_EQ(make_parts(*experiment, {data, std::nullopt}, kSeed).split.train,
            make_parts(*experiment, {changed, std::nullopt}, kSeed).split.train);
}

// A comparison takes differences seed by seed: they are only worth something when the split is the same for everybody.
TEST(Parts, ASeedGivesEveryMethodTheSameSplit) {
  const InputData input{tiny(), std::nullopt};
  const graph::Split first = make_parts(*quick("mlp-dp"), input, kSeed).split;
  int seen = 0;
  for (const std::string& name : method::method_names()) {
    const auto experiment = quick(name);
    if (experiment->method().wants_public_graph()) continue;
    const graph::Split split = make_parts(*experiment, input, kSeed).split;
    EXPECT_EQ(split.train, first.train) << name;
    EXPECT_EQ(split.val, first.val) << name;
    EXPECT_EQ(split.test, first.test) << name;
    ++seen;
  }
  EXPECT_GT(seen, 10);
  EXPECT_NE(make_parts(*quick("mlp-dp"), input, Seed::from_number(4)).split.test, first.test);
}

TEST(Parts, TheSplitThatCameWithTheData) {
  const auto experiment = quick("mlp-dp", {{"split", "file"}});
  graph::Dataset data = tiny();
  EXPECT_THROW(make_parts(*experiment, {data, std::nullopt}, kSeed), Error);
  data.split = graph::random_split(data, {}, Seed::from_number(9));
  EXPECT_EQ(make_parts(*experiment, {data, std::nullopt}, kSeed).split.train, data.split->train);
}

TEST(Parts, APublicGraphIsSplitOffOrGiven) {
  const Parts split = make_parts(*quick("oneshot"), {tiny(), std::nullopt}, kSeed);
  EXPECT_EQ(split.data.nodes(), 120);
  ASSERT_TRUE(split.public_graph.has_value());
  EXPECT_EQ(split.public_graph->nodes(), 150);
  EXPECT_EQ(split.evaluated_ids.size(), 150u);
  EXPECT_EQ(split.evaluated_split.test.size(), 60u);
  // The method never sees a public label.
  EXPECT_EQ(graph::unlabeled_nodes(*split.public_graph), 150);
  EXPECT_LT(graph::unlabeled_nodes(split.evaluated), 150);

  Experiment two("oneshot");
  const graph::Dataset other = graph::generate(graph::preset("tiny", 90), Seed::from_number(2));
  const Parts pair = make_parts(two, {tiny(), other}, kSeed);
  EXPECT_EQ(pair.evaluated.nodes(), 90);
  EXPECT_TRUE(pair.evaluated_ids.empty());
  EXPECT_TRUE(pair.evaluated_split.test.empty());
}

// Private and public nodes on one graph: never where something is promised.
TEST(Parts, OneGraphIsForRunsThatPromiseNothing) {
  const InputData one{tiny(), std::nullopt};
  for (const char* name : {"dp-gpl", "dp-gpl-w", "prompt-dpsgd"}) {
    const OptionList whole{{"messages", "whole"}};
    const std::string refused = message([&] { make_parts(*quick(name, whole), one, kSeed); });
    EXPECT_NE(refused.find("--messages whole"), std::string::npos) << name << refused;
    const Parts parts = make_parts(*quick(name, {{"messages", "whole"}, {"accounting", "published"}}), one, kSeed);
    EXPECT_EQ(parts.data.graph.edges(), one.data.graph.edges()) << name;
    EXPECT_EQ(parts.public_graph->graph.edges(), one.data.graph.edges()) << name;
    EXPECT_EQ(parts.split.train.size(), 120u);
    EXPECT_EQ(parts.evaluated_split.test.size(), 60u);
    EXPECT_EQ(graph::unlabeled_nodes(*parts.public_graph), one.data.nodes());
  }
  EXPECT_EQ(make_parts(*quick("prompt-inf", {{"messages", "whole"}}), one, kSeed).data.nodes(), one.data.nodes());
}

// The paper's setting is one graph; what is promised is about parts, whatever the preset.
TEST(Parts, ThePapersPresetIsOneGraphAsPublishedAlone) {
  const InputData one{tiny(), std::nullopt};
  for (const char* name : {"dp-gpl", "dp-gpl-w", "prompt-dpsgd"}) {
    Experiment paper(name);
    paper.use_preset("paper");
    for (const auto& [size, value] :
         {std::pair{"private-nodes", "120"}, {"public-nodes", "150"}, {"public-test", "60"}}) {
      paper.set(size, value);
    }
    EXPECT_EQ(make_parts(paper, one, kSeed).data.nodes(), 120) << name;
    paper.set("accounting", "published");
    EXPECT_EQ(make_parts(paper, one, kSeed).data.nodes(), one.data.nodes()) << name;
  }
}

TEST(Parts, WhatDoesNotFitIsRefusedByName) {
  const InputData one{tiny(), std::nullopt};
  const InputData pair{tiny(), graph::generate(graph::preset("tiny", 90), Seed::from_number(2))};
  EXPECT_NE(message([&] { make_parts(*quick("mlp-dp"), pair, kSeed); }).find("takes no public graph"),
            std::string::npos);
  Experiment shot("oneshot");
  const auto wants = [&](const InputData& input, const char* words) {
    const std::string found = message([&] { make_parts(shot, input, kSeed); });
    EXPECT_NE(found.find(words), std::string::npos) << words << " in: " << found;
  };
  wants(one, "--private-nodes is missing");
  shot.set("private-nodes", "100");
  wants(one, "--public-nodes is missing");
  shot.set("public-nodes", "100");
  wants(one, "--public-test is missing");
  shot.set("public-test", "100");
  wants(one, "public-test is 100");
  shot.set("public-test", "50");
  EXPECT_EQ(message([&] { make_parts(shot, one, kSeed); }), "");
  wants(pair, "leave them out");
  shot.set("public-nodes", "1000000");
  wants(one, "public-nodes 1000000");
  for (const char* text : {"", "75", "75/10", "75/10/16", "0/50/50", "a/b/c", "75/10/15/0", "nan/10/15"}) {
    EXPECT_NE(message([&] {
                make_parts(*quick("mlp-dp", {{"split", text}}), one, kSeed);
              }).find("--split"),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace graphveil::run::parts_test
