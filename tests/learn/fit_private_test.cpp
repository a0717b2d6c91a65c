#include "graphveil/learn/fit_private.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/learn/gnn_network.h"
#include "graphveil/method/mlp.h"
#include "graphveil/method/sage/sage.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"

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
