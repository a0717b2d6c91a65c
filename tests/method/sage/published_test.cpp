#include "graphveil/method/sage/published.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/learn/clipped_losses.h"
#include "graphveil/method/sage/sage.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/method/tiny_task.h"
#include "tests/nn/clipped_gradient_peer.h"

namespace graphveil::method::published_test {
namespace {

constexpr double kNoClipping = 1e4;

std::vector<int32_t> some_training_nodes() { return {tiny_split().train.begin(), tiny_split().train.begin() + 12}; }

std::vector<double> row_sum(SageNodeNetwork& network, const graph::Graph& graph, std::span<const int32_t> batch,
                            std::span<const int32_t> labels, double clip_norm) {
  BatchRows rows(graph);
  rows.assign(batch, labels);
  nn::ClippedGradient clipped(network.parameters(), {.max_norms = {clip_norm}});
  clipped.start();
  nn::Tape tape(Seed::from_number(1));
  add_row_losses(network, rows, static_cast<int64_t>(batch.size()), 0, tape, clipped);
  return nn::ClippedGradientPeer::sum(clipped);
}

TEST(SagePublished, RowsAreTheBatchAndItsSourcesOnce) {
  const std::vector<int32_t> from{1, 2, 3, 0, 4}, to{0, 0, 1, 1, 3}, labels{7, 8, 9, 10, 11};
  const graph::Graph graph = graph::Graph::from_edges(5, from, to);
  BatchRows rows(graph);
  rows.assign(std::vector<int32_t>{3}, labels);
  rows.assign(std::vector<int32_t>{1, 0}, labels);  // forgets what was there before
  EXPECT_EQ(std::vector<int32_t>(rows.nodes().begin(), rows.nodes().end()), (std::vector<int32_t>{1, 0, 3, 2}));
  EXPECT_EQ(std::vector<int32_t>(rows.labels().begin(), rows.labels().end()),
            (std::vector<int32_t>{8, 7, nn::kNoLabel, nn::kNoLabel}));
  ASSERT_EQ(rows.edges().count(), 4);
  double sources_of_first = 0, sources_of_second = 0;
  for (size_t e = 0; e < 4; ++e) {
    const int32_t source = rows.edges().in().indices[e], target = rows.edges().targets()[e];
    ASSERT_LE(target, 1);
    (target == 0 ? sources_of_first : sources_of_second) += std::pow(10, source);
  }
  EXPECT_EQ(sources_of_first, 1e2 + 1e1);   // rows 2 and 1: nodes 3 and 0
  EXPECT_EQ(sources_of_second, 1e0 + 1e3);  // rows 0 and 3: nodes 1 and 2
}

// Without clipping the rows' shares add up to the gradient of the mean loss of the rooted samples, times the rows.
TEST(SagePublished, SharesOfRowsAddUpToTheGradient) {
  const bound::BoundedGraph graph = bound::bound_out_degree(tiny_data().graph, 4, Seed::from_number(1));
  SageNodeNetwork network(tiny_data(), graph, {.layers = 1, .unit_layers = true}, Seed::from_number(2));
  const std::vector<int32_t> batch = some_training_nodes();
  const std::vector<double> by_row = row_sum(network, graph.graph(), batch, tiny_data().labels, kNoClipping);
  nn::ClippedGradient samples(network.parameters(), {.max_norms = {kNoClipping}});
  samples.start();
  nn::Tape tape(Seed::from_number(1));
  add_clipped_losses(network, batch, {}, tiny_data().labels, tape, samples);
  const std::vector<double>& by_sample = nn::ClippedGradientPeer::sum(samples);
  BatchRows rows(graph.graph());
  rows.assign(batch, tiny_data().labels);
  const double stretch = static_cast<double>(rows.nodes().size()) / static_cast<double>(batch.size());
  ASSERT_GT(stretch, 2);
  ASSERT_EQ(by_row.size(), by_sample.size());
  double largest = 0, gap = 0;
  for (size_t i = 0; i < by_row.size(); ++i) {
    largest = std::max(largest, std::abs(stretch * by_sample[i]));
    gap = std::max(gap, std::abs(by_row[i] - stretch * by_sample[i]));
  }
  // Each block is rounded to a grid of about 2^-26 of the clip norm.
  EXPECT_GT(largest, 1);
  EXPECT_LT(gap, 1e-3 * largest + 8 * kNoClipping * bound::kGridPerNorm);
}

// Why these sums carry no guarantee: every node has one outgoing edge, and still one record moves them by far more than
// the 2 K + 1 = 3 clip norms that a tight run with samples pays for.
TEST(SagePublished, OneRecordMovesRowsBeyondItsSamples) {
  constexpr int32_t kLeaves = 40;
  std::vector<int32_t> from, to;
  for (int32_t v = 1; v <= kLeaves; ++v) {
    from.push_back(v);
    to.push_back(0);
  }
  graph::Dataset data = tiny_data();
  data.graph = graph::Graph::from_edges(data.nodes(), from, to);
  const bound::BoundedGraph graph = bound::bound_out_degree(data.graph, 1, Seed::from_number(1));
  SageNodeNetwork network(data, graph, {.layers = 1, .unit_layers = true}, Seed::from_number(2));
  const std::vector<int32_t> batch{0, 60};
  const double clip_norm = 1e-6;
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  const std::vector<double> with = row_sum(network, graph.graph(), batch, labels, clip_norm);
  labels[0] = nn::kNoLabel;
  const std::vector<double> without = row_sum(network, graph.graph(), batch, labels, clip_norm);
  double square = 0;
  for (size_t i = 0; i < with.size(); ++i) square += std::pow(with[i] - without[i], 2);
  EXPECT_GT(std::sqrt(square), 5 * clip_norm);
}

TEST(SagePublished, ClipsRowsUnlessAskedForSamplesAndSaysSo) {
  SageNode method;
  method.use_paper_settings();
  Options options;
  method.declare(options);
  options.set("epochs", "1");
  options.set("batch-size", "30");
  options.set("max-degree", "3");
  options.set("hidden-dim", "6");
  Task task = tiny_task(bound::Relation::Record);
  task.as_published = true;
  std::vector<double> scores;
  size_t reasons = 0;
  for (const char* clip : {"rows", "samples"}) {
    options.set("published-clip", clip);
    const Published published = *method.published(5, 1e-3, tiny_setting(bound::Relation::Record));
    Release release =
        any_release(bound::Relation::Record, method.plan(published.noise, tiny_setting(bound::Relation::Record)));
    const Output output = method.run(task, release);
    EXPECT_TRUE(release.complete()) << clip;
    scores.push_back(values(output.predictions)(0, 0));
    if (std::string(clip) == "rows") {
      reasons = published.reasons.size();
    } else {
      EXPECT_GT(reasons, published.reasons.size());
    }
  }
  EXPECT_NE(scores[0], scores[1]);
  // A tight run reads the option nowhere.
  task.as_published = false;
  std::vector<double> tight;
  for (const char* clip : {"rows", "samples"}) {
    options.set("published-clip", clip);
    Release release = any_release(bound::Relation::Record, method.plan(9, tiny_setting(bound::Relation::Record)));
    tight.push_back(values(method.run(task, release).predictions)(0, 0));
  }
  EXPECT_EQ(tight[0], tight[1]);
}

TEST(SagePublished, RowsRefuseToSpendFromABudget) {
  SageNode method;
  method.use_paper_settings();
  Options options;
  method.declare(options);
  options.set("max-degree", "3");
  options.set("epochs", "1");
  const Setting setting = tiny_setting(bound::Relation::Record);
  Task task = tiny_task(bound::Relation::Record);
  task.as_published = true;
  Release promised =
      Release::open(bound::Relation::Record, method.plan(100, setting), {1000, 1e-3}, Seed::from_number(9));
  EXPECT_THROW(method.run(task, promised), Error);
  EXPECT_TRUE(promised.spent().empty());
}

}  // namespace
}  // namespace graphveil::method::published_test
