#include "graphveil/learn/fit_private.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/learn/clipped_losses.h"
#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/mlp.h"
#include "graphveil/method/sage/sage.h"
#include "graphveil/nn/clipped_gradient.h"
#include "graphveil/nn/ops_loss.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"
#include "tests/nn/clipped_gradient_peer.h"

namespace graphveil::learn::fit_private_test {
namespace {

using namespace method;  // the tiny graph and its networks

TEST(StepPlan, FollowsEpochsAndBatchSize) {
  PrivateFitOptions options{.epochs = 10, .batch_size = 256};
  const StepPlan plan = step_plan(options, 14204);  // Berkeley13, three quarters
  EXPECT_EQ(plan.steps, 554);
  EXPECT_NEAR(plan.rate, 0.018023, 1e-6);
  options.batch_size.reset();
  EXPECT_EQ(step_plan(options, 14204).steps, 10);
  EXPECT_EQ(step_plan(options, 14204).rate, 1);
  options.batch_size = 99999;
  EXPECT_EQ(step_plan(options, 14204).rate, 1);
  EXPECT_THROW(step_plan(options, 0), Error);
}

TEST(FitLine, GroupsArePricedAsGroups) {
  const PrivateFitOptions options{.epochs = 2, .batch_size = 10, .max_grad_norm = 0.5};
  const mechanism::PlanLine own = fit_line("t", options, 1.5, 100);
  EXPECT_EQ(own.event.sampling(), account::Sampling(account::Poisson{0.1}));
  EXPECT_EQ(own.event.count(), 20);
  EXPECT_EQ(own.sensitivity(), 0.5 * bound::kRoundingInflation);
  EXPECT_EQ(own.source(), bound::Source(bound::source::Gradients{}));
  const bound::SampleDraw reach{.rate = 0.7, .deletions = 4, .insertions = 3};  // its rate is not read
  const mechanism::PlanLine group = fit_line("t", options, 1.5, 100, reach, bound::source::Reach::OneHop);
  EXPECT_EQ(group.event.sampling(), account::Sampling(account::PoissonGroup{0.1, 4, 3}));
  EXPECT_EQ(group.sensitivity(), 0.5 * bound::kRoundingInflation) << "the accountant prices the group";
  EXPECT_EQ(group.source(), bound::Source(bound::source::Gradients{bound::source::Reach::OneHop, 4, 3}));
  const mechanism::PlanLine full = fit_line("t", {.epochs = 2, .batch_size = std::nullopt}, 1.5, 100, reach);
  EXPECT_EQ(full.event.sampling(), account::Sampling(account::NoSampling{}));
  EXPECT_EQ(full.sensitivity(), 7 * bound::kRoundingInflation);
  EXPECT_THROW(fit_line("t", options, 1.5, 100, {.deletions = 0}), Error);
}

TEST(NoiseForShare, AddsUpToTheWholeForFullBatches) {
  const PrivateFitOptions options{.epochs = 10, .batch_size = std::nullopt};
  const double s = noise_for_share(options, 100, 2.0, 0.3);
  EXPECT_NEAR(10 / (s * s), 0.3 / 4, 1e-12);
}

// A batch of several blocks with and without one sample. Only the sample's own block moves, to the bit, by no more than
// stated; and a blank sample is the same drawn or not. Cut by the place in the batch, the blocks after it would move.
TEST(AddClippedLosses, ASampleThatIsNotDrawnMovesNoOtherBlock) {
  using Sum = std::vector<double>;
  const graph::Dataset data = graph::generate(graph::preset("tiny", 1500), Seed::from_number(4));
  MlpNetwork network(data, {.layers = 2, .hidden_dim = 12}, false, Seed::from_number(1));
  std::vector<int32_t> everybody, labels(data.labels.begin(), data.labels.end());
  for (int32_t v = 0; v < data.nodes(); ++v) everybody.push_back(v);
  nn::PoissonBatches batches(everybody, {.rate = 0.4}, Seed::from_number(2));
  const bound::Clipping clipping{.max_norms = {0.3}};
  const auto sum = [&](std::span<const int32_t> batch, std::span<const int64_t> ends, std::span<const int32_t> known) {
    nn::ClippedGradient clipped(network.parameters(), clipping);
    nn::Tape tape(Seed::from_number(0));
    clipped.start();
    add_clipped_losses(network, batch, ends, known, tape, clipped);
    return nn::ClippedGradientPeer::sum(clipped);
  };
  const auto difference = [](Sum a, const Sum& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
  };
  const auto length = [](const Sum& a) { return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)); };
  const auto drawn = batches.batch(0);
  const std::vector<int32_t> batch(drawn.begin(), drawn.end());
  const std::vector<int64_t> ends(batches.block_ends().begin(), batches.block_ends().end());
  ASSERT_GT(batch.size(), 300u);
  const Sum whole = sum(batch, ends, labels);
  double shifted = 0;
  for (const size_t place : {size_t{0}, size_t{60}, size_t{200}}) {
    std::vector<int32_t> fewer = batch, blank = labels;
    fewer.erase(fewer.begin() + static_cast<int64_t>(place));
    blank[static_cast<size_t>(batch[place])] = nn::kNoLabel;
    std::vector<int64_t> fewer_ends = ends;
    for (int64_t& end : fewer_ends) end -= end > static_cast<int64_t>(place) ? 1 : 0;
    const Sum without = sum(fewer, fewer_ends, labels);
    EXPECT_EQ(sum(batch, ends, blank), without);
    EXPECT_EQ(sum(fewer, fewer_ends, blank), without);
    const Sum moved = difference(whole, without);
    EXPECT_LE(length(moved), bound::clipped_sum_sensitivity(clipping, batches.draw()));
    EXPECT_GT(length(moved), 0.02);
    // The same difference, of its own block alone.
    const size_t b = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), place) - ends.begin());
    const int64_t begin = b == 0 ? 0 : ends[b - 1];
    const auto block = std::span(batch).subspan(static_cast<size_t>(begin), static_cast<size_t>(ends[b] - begin));
    const auto rest = std::span(fewer).subspan(static_cast<size_t>(begin), block.size() - 1);
    const std::vector<int64_t> end{ends[b] - begin}, rest_end{ends[b] - begin - 1};
    EXPECT_EQ(moved, difference(sum(block, end, labels), sum(rest, rest_end, labels)));
    shifted = std::max(shifted, length(difference(moved, difference(sum(batch, {}, labels), sum(fewer, {}, labels)))));
  }
  EXPECT_GT(shifted, 0) << "the test would not notice blocks that move";
}

// The sums before the noise, and the parameters, are the same to the bit for any number of threads: with batches of
// more pieces than threads, fewer, and one; with blank nodes, with dropout, and with sparse features.
TEST(FitPrivate, ThreadsChangeNoBit) {
  graph::Dataset data = graph::generate(graph::preset("tiny", 5000), Seed::from_number(4));
  std::vector<int32_t> train, labels(data.labels.begin(), data.labels.end());
  for (int32_t v = 0; v < data.nodes(); ++v) {
    if (v % 7 != 0) train.push_back(v);
    if (v % 5 == 0) labels[static_cast<size_t>(v)] = nn::kNoLabel;
  }
  const auto trained = [&](int threads, const PrivateFitOptions& options) {
    const ContextScope scope({.threads = threads, .progress = nullptr});
    MlpNetwork network(data, {.layers = 2, .hidden_dim = 12, .dropout = 0.3}, false, Seed::from_number(1));
    Release release =
        any_release(bound::Relation::Node, {fit_line("t", options, 1, static_cast<int64_t>(train.size()))});
    mechanism::Watcher watcher;
    mechanism::ObserverAccess::watch(release, watcher);
    fit_private(network, {train, labels}, options, "t", Seed::from_number(2), release);
    std::vector<std::vector<double>> seen;
    for (const mechanism::Seen& step : watcher.seen) seen.push_back(step.values);
    const auto values = network.parameters().values().values();
    seen.emplace_back(values.begin(), values.end());
    return seen;
  };
  const auto expect_same = [&] {
    for (const std::optional<int64_t> batch : {std::optional<int64_t>{}, {3000}, {700}, {40}}) {
      const PrivateFitOptions options{.epochs = 3, .steps = 3, .batch_size = batch};
      const auto alone = trained(1, options);
      for (const int threads : {2, 5}) EXPECT_EQ(trained(threads, options), alone) << threads;
    }
  };
  expect_same();
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  for (int32_t v = 0; v < data.nodes(); ++v) {
    columns.insert(columns.end(), {v % 11, 11 + v % 13, 24 + v % 17});
    offsets.push_back(std::ssize(columns));
  }
  data.features = graph::Features(SparseMatrix{data.nodes(), 41, std::move(offsets), std::move(columns), {}});
  expect_same();
}

int64_t train_count() { return static_cast<int64_t>(tiny_split().train.size()); }

const PrivateFitData& tiny_fit_data() {
  static const PrivateFitData data{tiny_split().train, tiny_data().labels};
  return data;
}

double trained_accuracy(double noise, const PrivateFitOptions& options) {
  const auto& train = tiny_split().train;
  MlpNetwork network(tiny_data(), {.layers = 1}, false, Seed::from_number(1));
  Release release = any_release(bound::Relation::Node, {fit_line("t", options, noise, train_count())});
  fit_private(network, tiny_fit_data(), options, "t", Seed::from_number(2), release);
  EXPECT_TRUE(release.complete());
  return evaluate_accuracy(network, train, tiny_data().labels);
}

TEST(FitPrivate, LearnsWithLittleNoiseAndNotWithMuch) {
  for (bool average : {false, true}) {
    const PrivateFitOptions options{.epochs = 60, .batch_size = 100, .learning_rate = 0.05, .average_tail = average};
    const double chance = 1.0 / tiny_data().classes;
    EXPECT_GT(trained_accuracy(0.01, options), chance + 0.25);
    EXPECT_LT(trained_accuracy(1000, options), chance + 0.2);
  }
}

TEST(FitPrivate, GivesOutTheStateOfTheNetwork) {
  const PrivateFitOptions options{.epochs = 2, .batch_size = std::nullopt};
  MlpNetwork network(tiny_data(), {.layers = 1}, false, Seed::from_number(1));
  Release release = any_release(bound::Relation::Record, {fit_line("t", options, 1, train_count())});
  const auto state = fit_private(network, tiny_fit_data(), options, "t", Seed::from_number(2), release, "p/");
  nn::State want;
  network.save(want, "p/");
  ASSERT_EQ(state.value().size(), want.size());
  for (const auto& [name, tensor] : want) EXPECT_EQ(state.value().at(name).bytes, tensor.bytes) << name;
}

TEST(FitPrivate, TheStagesOfARunDrawDifferentBatches) {
  // Same seed, two labels, no noise: the parameters differ because batches do.
  const PrivateFitOptions options{.epochs = 5, .batch_size = 50};
  const auto values = [&](const std::string& label) {
    MlpNetwork network(tiny_data(), {.layers = 1}, false, Seed::from_number(1));
    Release release = Release::clear(bound::Relation::Node, {fit_line(label, options, 0, train_count())});
    fit_private(network, tiny_fit_data(), options, label, Seed::from_number(2), release);
    return network.parameters().values().clone();
  };
  const Matrix a = values("encoder"), b = values("classifier");
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(double{a.data()[i]} - double{b.data()[i]}));
  EXPECT_GT(largest, 1e-3);
}

TEST(FitPrivate, RefusesNetworksThatMixNodes) {
  const PrivateFitOptions options{.epochs = 1, .batch_size = 50};
  Release release = any_release(bound::Relation::Node, {fit_line("t", options, 1, train_count())});
  SageNetwork whole_graph(tiny_data(), tiny_data().graph, {}, Seed::from_number(1));
  EXPECT_THROW(fit_private(whole_graph, tiny_fit_data(), options, "t", Seed::from_number(2), release), Error);
  MlpNetwork with_batch_norm(tiny_data(), {}, true, Seed::from_number(1));
  EXPECT_THROW(fit_private(with_batch_norm, tiny_fit_data(), options, "t", Seed::from_number(2), release), Error);
  EXPECT_TRUE(release.spent().empty());
}

// Samples that reach further than the plan says, or a graph bounded for another relation, are refused.
TEST(FitPrivate, RefusesAReachThatIsNotPlanned) {
  const PrivateFitOptions options{.epochs = 1, .batch_size = 50};
  const bound::BoundedGraph graph = bound::bound_out_degree(tiny_data().graph, 2, Seed::from_number(1));
  GnnNetwork network(tiny_data(), {graph.graph(), &graph}, {}, Seed::from_number(1));
  PrivateFitData data = tiny_fit_data();
  data.graph = &graph;
  data.hops = 1;
  const auto refused = [&](bound::Relation relation, const bound::SampleDraw& reach) {
    Release release = any_release(relation, {fit_line("t", options, 1, train_count(), reach)});
    EXPECT_THROW(fit_private(network, data, options, "t", Seed::from_number(2), release), Error);
    EXPECT_TRUE(release.spent().empty());
  };
  refused(bound::Relation::Record, {});
  refused(bound::Relation::Record, bound::rooted_draw(1, 1, 1));
  refused(bound::Relation::Node, bound::rooted_draw(1, 2, 1));
  Release planned =
      any_release(bound::Relation::Record, {fit_line("t", options, 1, train_count(), bound::rooted_draw(1, 2, 1))});
  EXPECT_NO_THROW(fit_private(network, data, options, "t", Seed::from_number(2), planned));
}

// What a node without a label holds is never read: the sums before the noise are the same to the bit.
TEST(FitPrivate, ANodeWithoutALabelAddsNothing) {
  const PrivateFitOptions options{.epochs = 3, .batch_size = 60};
  const int32_t unlabeled = tiny_split().train[4];
  std::vector<int32_t> labels(tiny_data().labels.begin(), tiny_data().labels.end());
  labels[static_cast<size_t>(unlabeled)] = graph::kUnlabeled;
  const auto sums = [&](Real features) {
    Matrix rows(tiny_data().nodes(), 3);
    for (int64_t v = 0; v < rows.rows(); ++v) rows(v, v % 3) = v == unlabeled ? features : Real(1);
    graph::Dataset data = tiny_data();
    data.features = graph::Features(std::move(rows));
    MlpNetwork network(data, {.layers = 1}, false, Seed::from_number(1));
    Release release = any_release(bound::Relation::Node, {fit_line("t", options, 1, train_count())});
    mechanism::Watcher watcher;
    mechanism::ObserverAccess::watch(release, watcher);
    fit_private(network, {tiny_split().train, labels}, options, "t", Seed::from_number(2), release);
    std::vector<std::vector<double>> seen;
    for (const mechanism::Seen& step : watcher.seen) seen.push_back(step.values);
    return seen;
  };
  EXPECT_EQ(sums(0), sums(1000));
}

}  // namespace
}  // namespace graphveil::learn::fit_private_test
