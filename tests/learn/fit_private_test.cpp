#include "graphveil/learn/fit_private.h"

#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/method/mlp.h"
#include "graphveil/method/sage/sage.h"
#include "tests/method/tiny_task.h"

namespace graphveil::learn {
namespace {

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

TEST(FitEvent, GroupsArePricedAsGroups) {
  const PrivateFitOptions options{.epochs = 2, .batch_size = 10};
  EXPECT_EQ(fit_event("t", options, 1.5, 100).sampling(), account::Sampling(account::Poisson{0.1}));
  EXPECT_EQ(fit_event("t", options, 1.5, 100, {.deletions = 4, .insertions = 3}).sampling(),
            account::Sampling(account::PoissonGroup{0.1, 4, 3}));
  EXPECT_THROW(fit_event("t", options, 1.5, 100, {4, 3}), Error) << "a rate of 4";
}

double trained_accuracy(double noise, const PrivateFitOptions& options) {
  const auto& train = tiny_split().train;
  MlpNetwork network(tiny_data(), {.layers = 1}, false, Seed::from_number(1));
  mechanism::Release release(bound::Relation::Node,
                             {fit_event("t", options, noise, static_cast<int64_t>(train.size()))}, kAnyBudget,
                             Seed::from_number(3));
  fit_private(network, train, tiny_data().labels, options, noise, "t", Seed::from_number(2), release);
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

TEST(FitPrivate, TheStagesOfARunDrawDifferentBatches) {
  // Same seed, two labels: the released parameters differ because batches (and noise) do.
  const PrivateFitOptions options{.epochs = 5, .batch_size = 50};
  const auto& train = tiny_split().train;
  const auto values = [&](const std::string& label) {
    MlpNetwork network(tiny_data(), {.layers = 1}, false, Seed::from_number(1));
    mechanism::Release release(bound::Relation::Node,
                               {fit_event(label, options, 1e-6, static_cast<int64_t>(train.size()))}, kAnyBudget,
                               Seed::from_number(3));
    fit_private(network, train, tiny_data().labels, options, 1e-6, label, Seed::from_number(2), release);
    return network.parameters().values().clone();
  };
  const Matrix a = values("encoder"), b = values("classifier");
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(double{a.data()[i]} - double{b.data()[i]}));
  EXPECT_GT(largest, 1e-3);  // far more than the noise
}

TEST(FitPrivate, RefusesNetworksThatMixNodes) {
  const PrivateFitOptions options{.epochs = 1, .batch_size = 50};
  const auto& train = tiny_split().train;
  mechanism::Release release(bound::Relation::Node, {fit_event("t", options, 1, static_cast<int64_t>(train.size()))},
                             kAnyBudget, Seed::from_number(3));
  SageNetwork whole_graph(tiny_data(), tiny_data().graph, {}, Seed::from_number(1));
  EXPECT_THROW(fit_private(whole_graph, train, tiny_data().labels, options, 1, "t", Seed::from_number(2), release),
               Error);
  MlpNetwork with_batch_norm(tiny_data(), {}, true, Seed::from_number(1));
  EXPECT_THROW(fit_private(with_batch_norm, train, tiny_data().labels, options, 1, "t", Seed::from_number(2), release),
               Error);
  EXPECT_TRUE(release.spent().empty());
}

}  // namespace
}  // namespace graphveil::learn
