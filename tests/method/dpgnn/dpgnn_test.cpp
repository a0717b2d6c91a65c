#include "graphveil/method/dpgnn/dpgnn.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "graphveil/account/calibrate.h"
#include "graphveil/nn/rooted_layers.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

// The records of a small graph, so that one can be blanked.
struct Records {
  std::vector<int32_t> feature;           // 0: blank
  std::vector<int32_t> label;             // -1: none
  std::vector<int32_t> part;              // of the split: 1 train, 2 validation, 3 test, 0 none
  std::vector<std::vector<int32_t>> out;  // targets of each node

  Records blanked(int32_t v) const {
    Records other = *this;
    other.feature[v] = 0;
    other.label[v] = -1;
    other.part[v] = 0;
    other.out[v].clear();
    return other;
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

// Everything that a sample reads: features and label of its rows, and every edge of every layer.
using Sample = std::tuple<std::vector<int32_t>, std::vector<std::vector<int32_t>>, int32_t>;

std::map<int32_t, Sample> samples_of(const Records& records, GnnSetting setting, int64_t max_degree, int64_t layers) {
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
  const graph::Graph graph = dpgnn_training_graph(graph::Graph::from_edges(nodes, sources, targets), split, setting,
                                                  max_degree, Seed::from_number(77));
  nn::RootedLayers rooted(graph, layers, {true, nn::EdgeWeights::InverseDegree});
  std::map<int32_t, Sample> samples;
  for (const int32_t root : split.train) {
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

// Every pair of neighboring graphs: what blanking each record does to the set of samples.
TEST(DpGnn, NoRecordChangesMoreSamplesThanStated) {
  for (const GnnSetting setting : {GnnSetting::Transductive, GnnSetting::Inductive}) {
    for (const int64_t max_degree : {1, 2, 3}) {
      for (const int64_t layers : {1, 2, 3}) {
        const bound::SampleDraw reach = dpgnn_reach(max_degree, layers);
        int64_t most_deleted = 0;
        for (uint64_t seed = 0; seed < 6; ++seed) {
          const int32_t nodes = 24 + static_cast<int32_t>(seed);
          const Records records = random_records(nodes, seed % 2 == 0 ? 0.08 : 0.25, seed);
          const std::map<int32_t, Sample> present = samples_of(records, setting, max_degree, layers);
          for (int32_t v = 0; v < nodes; ++v) {
            const std::map<int32_t, Sample> blank = samples_of(records.blanked(v), setting, max_degree, layers);
            int64_t deleted = 0, inserted = 0;
            for (const auto& [root, sample] : present) deleted += !blank.contains(root) || blank.at(root) != sample;
            for (const auto& [root, sample] : blank) inserted += !present.contains(root) || present.at(root) != sample;
            EXPECT_LE(deleted, reach.deletions);
            EXPECT_LE(inserted, reach.insertions);
            most_deleted = std::max(most_deleted, deleted);
          }
        }
        // The bound is not slack for nothing: with one layer some record reaches it.
        if (layers == 1 && setting == GnnSetting::Transductive) {
          EXPECT_EQ(most_deleted, reach.deletions);
        }
      }
    }
  }
}

TEST(DpGnn, PlanIsOneLineWithTheReachOfItsLayers) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("max-degree", "3");
  options.set("layers", "3");
  options.set("batch-size", "100");
  const account::Ledger plan = method.plan(2, bound::Relation::Node, {1000, 800, 10, 3});
  ASSERT_EQ(plan.events().size(), 1u);
  const auto* group = std::get_if<account::PoissonGroup>(&plan.events()[0].sampling());
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->deletions, 1 + 3 + 9 + 27);
  EXPECT_EQ(group->insertions, 3 + 9 + 27);
  EXPECT_EQ(group->rate, 0.125);
}

// With full batches the sum moves by (2K + 1) C for one layer, and a little more by rounding.
TEST(DpGnn, FullBatchesPayForEverySample) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("max-degree", "2");
  options.set("steps", "2");
  options.set("max-grad-norm", "0.5");
  mechanism::Release release(bound::Relation::Node, method.plan(1, bound::Relation::Node, tiny_facts()), kAnyBudget,
                             Seed::from_number(9));
  method.run(tiny_task(bound::Relation::Node), 1, &release);
  ASSERT_TRUE(release.complete());
  EXPECT_GT(release.spent_lines()[0].sensitivity, (3 + 2) * 0.5);
  EXPECT_LT(release.spent_lines()[0].sensitivity, (3 + 2) * 0.5 * 1.002);
}

// The setting of the paper's ogbn-arxiv experiment.
TEST(DpGnn, NeedsFarLessNoiseThanThePublishedBound) {
  DpGnn method;
  method.use_paper_settings();
  Options options;
  method.declare(options);
  options.set("steps", "1000");
  const PublicFacts facts{169343, 90941, 128, 40};
  const double delta = 1 / (10.0 * 90941);
  const auto plan = [&](double noise) { return method.plan(noise, bound::Relation::Node, facts); };
  ASSERT_EQ(plan(1).events()[0].count(), 1000);
  const double tight = account::calibrate(plan, 12, delta).noise;
  const std::optional<Published> published = method.published(12, delta, bound::Relation::Node, facts);
  ASSERT_TRUE(published.has_value());
  EXPECT_GE(published->noise, 1.45 * tight);
  EXPECT_FALSE(published->reasons.empty());
}

TEST(DpGnn, LearnsWithLittleNoise) {
  DpGnn method;
  const double noise = 0.01;
  mechanism::Release release(bound::Relation::Node, method.plan(noise, bound::Relation::Node, tiny_facts()), kAnyBudget,
                             Seed::from_number(9));
  const Released released = method.run(tiny_task(bound::Relation::Node), noise, &release);
  EXPECT_GT(accuracy_on(released.probabilities, tiny_split().test), 0.5);
}

TEST(DpGnn, RefusesMoreHopsThanItCanAverage) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("inference-hops", "2");
  EXPECT_NO_THROW(method.plan(1, bound::Relation::Node, tiny_facts()));
  options.set("arch", "gin");
  EXPECT_THROW(method.plan(1, bound::Relation::Node, tiny_facts()), Error);
}

TEST(DpGnn, OnlyGcnKeepsAShareOfTheOwnRow) {
  DpGnn method;
  GnnInf without_noise;
  Options options, others;
  method.declare(options);
  without_noise.declare(others);
  for (Options* o : {&options, &others}) {
    o->set("own-share", "0.5");
    o->set("arch", "gat");
  }
  EXPECT_THROW(method.plan(1, bound::Relation::Node, tiny_facts()), Error);
  EXPECT_THROW(without_noise.run(tiny_task(bound::Relation::Node), 0, nullptr), Error);
  options.set("arch", "gcn");
  EXPECT_NO_THROW(method.plan(1, bound::Relation::Node, tiny_facts()));
}

TEST(GnnInf, LearnsInBothSettings) {
  for (const char* setting : {"transductive", "inductive"}) {
    GnnInf method;
    Options options;
    method.declare(options);
    options.set("setting", setting);
    const Released released = method.run(tiny_task(bound::Relation::Node), 0, nullptr);
    EXPECT_GT(accuracy_on(released.probabilities, tiny_split().train), 0.6) << setting;
  }
}

}  // namespace
}  // namespace graphveil::method
