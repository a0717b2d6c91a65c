#include "graphveil/method/dpgnn/dpgnn.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/nn/rooted_layers.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::dpgnn_test {
namespace {

// The records of a small graph, so that one can be blanked.
struct Records {
  std::vector<int32_t> feature;           // 0: blank
  std::vector<int32_t> label;             // -1: none
  std::vector<int32_t> part;              // of the split, which is public: 1 train, 2 validation, 3 test
  std::vector<std::vector<int32_t>> out;  // targets of each node

  // Without v's record; under node also without the edges into it.
  Records blanked(int32_t v, bound::Relation relation) const {
    Records other = *this;
    other.feature[v] = 0;
    other.label[v] = -1;
    other.out[v].clear();
    if (relation == bound::Relation::Node) {
      for (std::vector<int32_t>& targets : other.out) std::erase(targets, v);
    }
    return other;
  }
  // The largest number of edges in or out of a node.
  int64_t largest_degree() const {
    std::vector<int64_t> in(out.size(), 0);
    int64_t largest = 1;
    for (const std::vector<int32_t>& targets : out) {
      largest = std::max(largest, static_cast<int64_t>(targets.size()));
      for (const int32_t u : targets) largest = std::max(largest, ++in[u]);
    }
    return largest;
  }
};

Records random_records(int32_t nodes, double edge_probability, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "records");
  Records records;
  for (int32_t v = 0; v < nodes; ++v) {
    records.feature.push_back(v + 1);
    records.label.push_back(static_cast<int32_t>(random.below(2)));
    records.part.push_back(random.bernoulli(0.7) ? 1 : 2 + static_cast<int32_t>(random.below(2)));
    records.out.emplace_back();
    for (int32_t u = 0; u < nodes; ++u) {
      if (u != v && random.bernoulli(edge_probability)) records.out.back().push_back(u);
    }
  }
  return records;
}

// Everything that a sample reads: features and label of its rows, and every edge of every layer. One without a label
// adds nothing, so it is left out.
using Sample = std::tuple<std::vector<int32_t>, std::vector<std::vector<int32_t>>, int32_t>;

std::map<int32_t, Sample> samples_of(const Records& records, bound::Relation relation, GraphSetting setting,
                                     int64_t max_degree, int64_t layers) {
  const auto nodes = static_cast<int32_t>(records.feature.size());
  std::vector<int32_t> sources, targets;
  graph::Split split;
  for (int32_t v = 0; v < nodes; ++v) {
    for (const int32_t u : records.out[v]) {
      sources.push_back(v);
      targets.push_back(u);
    }
    if (records.part[v] == 1) split.train.push_back(v);
    if (records.part[v] == 2) split.val.push_back(v);
    if (records.part[v] == 3) split.test.push_back(v);
  }
  graph::Dataset data;
  data.graph = graph::Graph::from_edges(nodes, sources, targets);
  const Task task{.data = data, .split = split, .relation = relation, .seed = Seed::from_number(77)};
  const bound::BoundedGraph bounded = dpgnn_training_graph(task, setting, max_degree);
  EXPECT_EQ(bounded.relation(), relation);
  nn::RootedLayers rooted(bounded.graph(), layers, {true, nn::EdgeWeights::InverseDegree});
  std::map<int32_t, Sample> samples;
  for (const int32_t root : split.train) {
    if (records.label[root] == -1) continue;
    rooted.assign(std::vector<int32_t>{root});
    Sample& sample = samples[root];
    for (const int32_t v : rooted.nodes()) {
      std::get<0>(sample).push_back(v);
      std::get<0>(sample).push_back(records.feature[v]);
    }
    for (int64_t l = 0; l < layers; ++l) {
      const nn::Edges& edges = *rooted.hop(l).edges;
      std::get<1>(sample).emplace_back(edges.in().indices.begin(), edges.in().indices.end());
      std::get<1>(sample).emplace_back(edges.targets().begin(), edges.targets().end());
    }
    std::get<2>(sample) = records.label[root];
  }
  return samples;
}

// What blanking each record of a graph does to the set of samples; returns the most that changed.
int64_t most_deleted(const Records& records, bound::Relation relation, GraphSetting setting, int64_t max_degree,
                     int64_t layers) {
  const bound::SampleDraw reach = bound::rooted_draw(1, max_degree, layers);
  const std::map<int32_t, Sample> present = samples_of(records, relation, setting, max_degree, layers);
  int64_t most = 0;
  for (int32_t v = 0; v < static_cast<int32_t>(records.feature.size()); ++v) {
    const std::map<int32_t, Sample> blank =
        samples_of(records.blanked(v, relation), relation, setting, max_degree, layers);
    int64_t deleted = 0, inserted = 0;
    for (const auto& [root, sample] : present) deleted += !blank.contains(root) || blank.at(root) != sample;
    for (const auto& [root, sample] : blank) inserted += !present.contains(root) || present.at(root) != sample;
    EXPECT_LE(deleted, reach.deletions);
    EXPECT_LE(inserted, reach.insertions);
    most = std::max(most, deleted);
  }
  return most;
}

// Every pair of neighboring graphs.
TEST(DpGnn, NoRecordChangesMoreSamplesThanStated) {
  for (const GraphSetting setting : {GraphSetting::Transductive, GraphSetting::Inductive}) {
    for (const int64_t max_degree : {1, 2, 3}) {
      for (const int64_t layers : {1, 2, 3}) {
        int64_t most = 0;
        for (uint64_t seed = 0; seed < 6; ++seed) {
          const Records records = random_records(24 + static_cast<int32_t>(seed), seed % 2 == 0 ? 0.08 : 0.25, seed);
          most = std::max(most, most_deleted(records, bound::Relation::Record, setting, max_degree, layers));
        }
        // The bound is not slack for nothing: with one layer some record reaches it.
        if (layers == 1 && setting == GraphSetting::Transductive) {
          EXPECT_EQ(most, 1 + max_degree);
        }
      }
    }
  }
}

// Under node with every edge at the blank node gone: the degrees are declared, and nothing is dropped.
TEST(DpGnn, NoNodeChangesMoreSamplesThanItsDeclaredDegreesSay) {
  for (const GraphSetting setting : {GraphSetting::Transductive, GraphSetting::Inductive}) {
    for (const int64_t layers : {1, 2}) {
      for (uint64_t seed = 0; seed < 6; ++seed) {
        const Records records = random_records(24, seed % 2 == 0 ? 0.04 : 0.08, seed);
        most_deleted(records, bound::Relation::Node, setting, records.largest_degree(), layers);
      }
    }
  }
}

TEST(DpGnn, RefusesAGraphThatIsNotAsDeclared) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("max-degree", "2");
  Release release = any_release(bound::Relation::Node, method.plan(1, tiny_setting(bound::Relation::Node)));
  EXPECT_THROW(method.run(tiny_task(bound::Relation::Node), release), Error);
  EXPECT_TRUE(release.spent().empty());
  EXPECT_EQ(method.assumptions(bound::Relation::Node).size(), 1u);
  EXPECT_TRUE(method.assumptions(bound::Relation::Record).empty());
}

TEST(DpGnn, PlanIsOneLineWithTheReachOfItsLayers) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("max-degree", "3");
  options.set("layers", "3");
  options.set("batch-size", "100");
  for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
    const Plan plan = method.plan(2, {.relation = relation, .facts = {1000, 800, 10, 3}});
    ASSERT_EQ(plan.lines().size(), 1u);
    const auto* group = std::get_if<account::PoissonGroup>(&plan.lines()[0].event.sampling());
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->deletions, 1 + 3 + 9 + 27);
    EXPECT_EQ(group->insertions, 3 + 9 + 27);
    EXPECT_EQ(group->rate, 0.125);
    EXPECT_EQ(bound::reads(plan.lines()[0].source()), bound::Reads::ManyHops);
  }
  // Not told otherwise, K is 1 under record and the protected degree under node.
  options.set("max-degree", "auto");
  options.set("layers", "1");
  const auto deletions = [&](bound::Relation relation) {
    const Plan plan = method.plan(2, {relation, 5, {1000, 800, 10, 3}});
    return std::get<account::PoissonGroup>(plan.lines()[0].event.sampling()).deletions;
  };
  EXPECT_EQ(deletions(bound::Relation::Record), 2);
  EXPECT_EQ(deletions(bound::Relation::Node), 6);
}

// With full batches the sum moves by (2K + 1) C for one layer, and a little more by rounding.
TEST(DpGnn, FullBatchesPayForEverySample) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("max-degree", "2");
  options.set("steps", "2");
  options.set("max-grad-norm", "0.5");
  Release release = any_release(bound::Relation::Record, method.plan(1, tiny_setting(bound::Relation::Record)));
  method.run(tiny_task(bound::Relation::Record), release);
  ASSERT_TRUE(release.complete());
  EXPECT_DOUBLE_EQ(release.spent().lines()[0].sensitivity(), (3 + 2) * 0.5 * bound::kRoundingInflation);
}

// The setting of the paper's ogbn-arxiv experiment.
TEST(DpGnn, NeedsFarLessNoiseThanThePublishedBound) {
  DpGnn method;
  method.use_paper_settings();
  Options options;
  method.declare(options);
  options.set("steps", "1000");
  const Setting setting{bound::Relation::Record, 100, {169343, 90941, 128, 40}};
  const double delta = 1 / (10.0 * 90941);
  const auto plan = [&](double noise) { return method.plan(noise, setting).ledger(); };
  ASSERT_EQ(plan(1).events()[0].count(), 1000);
  const double tight = account::calibrate(plan, 12, delta).noise;
  const std::optional<Published> published = method.published(12, delta, setting);
  ASSERT_TRUE(published.has_value());
  EXPECT_GE(published->noise, 1.45 * tight);
  EXPECT_FALSE(published->reasons.empty());
  EXPECT_FALSE(method.published(12, delta, {bound::Relation::Node, 100, setting.facts}).has_value())
      << "the paper drops edges";
}

TEST(DpGnn, LearnsWithLittleNoise) {
  DpGnn method;
  const double noise = 0.01;
  for (const bound::Relation relation : method.relations()) {
    Release release = any_release(relation, method.plan(noise, tiny_setting(relation)));
    const Output output = method.run(tiny_task(relation), release);
    EXPECT_EQ(audience(output.predictions), Audience::Holder) << "they read neighbors in the clear";
    EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 0.5) << bound::name(relation);
  }
}

TEST(DpGnn, RefusesMoreHopsThanItCanAverage) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("inference-hops", "2");
  EXPECT_NO_THROW(method.plan(1, tiny_setting(bound::Relation::Node)));
  options.set("arch", "gin");
  EXPECT_THROW(method.plan(1, tiny_setting(bound::Relation::Node)), Error);
}

TEST(DpGnn, OnlyGcnKeepsAShareOfTheOwnRow) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("own-share", "0.5");
  options.set("arch", "gat");
  EXPECT_THROW(method.plan(1, tiny_setting(bound::Relation::Node)), Error);
  options.set("arch", "gcn");
  EXPECT_NO_THROW(method.plan(1, tiny_setting(bound::Relation::Node)));
}

// The default is a graph network; what replaces it says so.
TEST(DpGnn, SaysWhatReplacesThePapersNetwork) {
  DpGnn method, linear, paper;
  linear.use_preset("linear");
  paper.use_paper_settings();
  EXPECT_EQ(paper.variant(), "");
  EXPECT_EQ(method.variant().find("linear"), std::string::npos);
  EXPECT_NE(method.variant().find("own row"), std::string::npos);
  EXPECT_NE(linear.variant().find("a linear classifier"), std::string::npos);
  EXPECT_NE(linear.variant().find("one kept edge"), std::string::npos);
  Options options;
  method.declare(options);
  options.set("max-degree", "1");
  EXPECT_NE(method.variant().find("one kept edge"), std::string::npos);
}

// Where records are few it says beforehand what is better; the linear classifier and large graphs have nothing to say.
TEST(DpGnn, SaysWhereOthersAreBetter) {
  DpGnn method, linear;
  linear.use_preset("linear");
  Setting setting = tiny_setting(bound::Relation::Record);
  const auto said = [&](const DpGnn& asked) { return asked.outlook(asked.plan(1, setting), setting); };
  ASSERT_EQ(said(method).size(), 1);
  EXPECT_NE(said(method)[0].find("mlp-dp"), std::string::npos);
  EXPECT_TRUE(said(linear).empty());
  setting.facts.train_nodes = 90941;
  EXPECT_TRUE(said(method).empty());
}

}  // namespace
}  // namespace graphveil::method::dpgnn_test
