#include "graphveil/method/dpgnn/published.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/method/dpgnn/dpgnn.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::published_test {
namespace {

// Node 0 leads to 1 .. leaves; the last `outside` of them are not in training.
struct Star {
  Star(int32_t leaves, int32_t outside) {
    std::vector<int32_t> sources, targets;
    for (int32_t v = 1; v <= leaves; ++v) {
      sources.push_back(0);
      targets.push_back(v);
      if (v <= leaves - outside) train.push_back(v);
    }
    graph = graph::Graph::from_edges(leaves + 1, sources, targets);
  }
  graph::Graph graph;
  std::vector<int32_t> train;
};

// Edges to training nodes only, each with chance K / (2 n); more than K of them: none. Against the binomial by
// counting.
TEST(DpGnnPublished, EdgeListsAreThePapers) {
  constexpr int64_t kDegree = 3, kRuns = 20000;
  const Star star(12, 4);
  std::vector<double> of_size(kDegree + 1, 0);
  double dropped_or_empty = 0, third = 0;
  for (uint64_t seed = 0; seed < kRuns; ++seed) {
    const graph::Graph kept = dpgnn_published_graph(star.graph, star.train, kDegree, Seed::from_number(seed));
    const auto list = kept.out(0);
    ASSERT_LE(list.size(), static_cast<size_t>(kDegree));
    ASSERT_EQ(kept.edges(), static_cast<int64_t>(list.size()));
    for (const int32_t v : list) ASSERT_LE(v, 8);
    ++of_size[list.size()];
    dropped_or_empty += list.empty();
    third += static_cast<double>(std::count(list.begin(), list.end(), 3));
  }
  const double p = 3.0 / 16;
  double within = 0, inclusion = 0;
  for (int i = 0; i <= kDegree; ++i) {
    const double chance = std::exp(std::lgamma(9.0) - std::lgamma(i + 1.0) - std::lgamma(9.0 - i)) * std::pow(p, i) *
                          std::pow(1 - p, 8 - i);
    within += chance;
    inclusion += chance * i / 8;
    if (i > 0) {
      EXPECT_NEAR(of_size[i], kRuns * chance, 5 * std::sqrt(kRuns * chance));
    }
  }
  const double empty = 1 - within + std::pow(1 - p, 8);
  EXPECT_NEAR(dropped_or_empty, kRuns * empty, 5 * std::sqrt(kRuns * empty));
  EXPECT_NEAR(third, kRuns * inclusion, 5 * std::sqrt(kRuns * inclusion));
}

// A list shorter than K / 2 is kept whole.
TEST(DpGnnPublished, ShortListsAreKept) {
  const Star star(5, 3);
  EXPECT_EQ(dpgnn_published_graph(star.graph, star.train, 4, Seed::from_number(1)).out_degree(0), 2);
}

// Why this sampler is no part of a proof: one record less in training changes what another node keeps, while the lists
// of dpgnn_training_graph stay.
TEST(DpGnnPublished, OneRecordLessChangesOtherLists) {
  const Star star(40, 0);
  const std::vector<int32_t> fewer(star.train.begin() + 1, star.train.end());
  graph::Dataset data;
  data.graph = star.graph;
  graph::Split split, other;
  split.train = star.train;
  other.train = fewer;
  bool changed = false;
  for (uint64_t number = 0; number < 50; ++number) {
    const Seed seed = Seed::from_number(number);
    const auto without_first = [](std::span<const int32_t> list) {
      std::vector<int32_t> copy(list.begin(), list.end());
      std::erase(copy, 1);
      return copy;
    };
    const graph::Graph a = dpgnn_published_graph(star.graph, star.train, 8, seed);
    const graph::Graph b = dpgnn_published_graph(star.graph, fewer, 8, seed);
    changed |= without_first(a.out(0)) != without_first(b.out(0));
    const auto kept = [&](const graph::Split& s) {
      const Task task{.data = data, .split = s, .relation = bound::Relation::Record, .seed = seed};
      return dpgnn_training_graph(task, GraphSetting::Transductive, 8).graph();
    };
    const graph::Graph c = kept(split), d = kept(other);
    EXPECT_EQ(without_first(c.out(0)), without_first(d.out(0)));
  }
  EXPECT_TRUE(changed);
}

// Against whole gradients of one node at a time.
TEST(DpGnnPublished, ClipNormsArePercentilesOfEachGroup) {
  const bound::BoundedGraph bounded = bound::bound_out_degree(
      dpgnn_published_graph(tiny_data().graph, tiny_split().train, 3, Seed::from_number(1)), 3, Seed::from_number(1));
  const GnnArchitecture architecture{.encoder_layers = 1, .decoder_layers = 2, .hidden_dim = 6};
  GnnNetwork network(tiny_data(), {bounded.graph(), &bounded, 3}, architecture, Seed::from_number(2));
  nn::Parameters& p = network.parameters();
  ASSERT_EQ(p.groups(), architecture.groups());
  const std::vector<int32_t>& train = tiny_split().train;
  std::vector<std::vector<double>> norms(3);
  nn::Tape tape(Seed::from_number(1));
  for (const int32_t v : train) {
    tape.start();
    p.zero_gradients();
    const std::vector<int32_t> node{v}, label{tiny_data().labels[v]};
    tape.backward(nn::cross_entropy(network.scores(tape, node), label, nn::Reduction::Sum));
    double squares[3] = {0, 0, 0};
    for (nn::ParameterId id = 0; id < p.count(); ++id) {
      const auto& info = p.info(id);
      for (int64_t i = 0; i < info.size(); ++i) squares[info.group] += std::pow(p.gradients()(0, info.offset + i), 2);
    }
    for (size_t l = 0; l < 3; ++l) norms[l].push_back(std::sqrt(squares[l]));
  }
  const std::vector<double> got =
      gradient_norm_quantiles(network, train, tiny_data().labels, 0.75, Seed::from_number(3));
  ASSERT_EQ(got.size(), 3u);
  for (size_t l = 0; l < 3; ++l) {
    std::sort(norms[l].begin(), norms[l].end());
    EXPECT_NEAR(got[l], norms[l][static_cast<size_t>(0.75 * static_cast<double>(norms[l].size()))], 1e-4 * got[l]);
  }
}

// Each group gets noise in proportion to its own clip norm, and all that was planned is spent.
TEST(DpGnnPublished, SpendsTheLineThatCountsEveryGroup) {
  DpGnn method;
  method.use_paper_settings();
  Options options;
  method.declare(options);
  options.set("hidden-dim", "6");
  options.set("steps", "4");
  for (const char* batch : {"30", "full"}) {
    options.set("batch-size", batch);
    const Published published = *method.published(5, 1e-3, tiny_setting(bound::Relation::Record));
    ASSERT_TRUE(published.plan.has_value());
    Release release = any_release(bound::Relation::Record, *published.plan);
    Task task = tiny_task(bound::Relation::Record);
    task.as_published = true;
    method.run(task, release);
    EXPECT_TRUE(release.complete()) << batch;
    const auto& gaussian = std::get<account::Gaussian>(published.plan->lines()[0].event.mechanism());
    EXPECT_NEAR(gaussian.noise_multiplier * std::sqrt(3), published.noise, 1e-12 * published.noise);
  }
}

// With one group the plan as published is also a plan that a tight run may have: the budget tells them apart.
TEST(DpGnnPublished, RefusesToSpendFromABudget) {
  DpGnn method;
  Options options;
  method.declare(options);
  options.set("steps", "2");
  const Published published = *method.published(5, 1e-3, tiny_setting(bound::Relation::Record));
  Task task = tiny_task(bound::Relation::Record);
  task.as_published = true;
  Release promised = Release::open(bound::Relation::Record, *published.plan, {1000, 1e-3}, Seed::from_number(9));
  EXPECT_THROW(method.run(task, promised), Error);
  EXPECT_TRUE(promised.spent().empty());
  Release open = any_release(bound::Relation::Record, *published.plan);
  EXPECT_NO_THROW(method.run(task, open));
}

}  // namespace
}  // namespace graphveil::method::published_test
