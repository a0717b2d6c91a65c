#include "graphveil/method/lpgnet/lpgnet.h"

#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/method/mlp.h"
#include "tests/mechanism/access.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::lpgnet_test {
namespace {

using bound::Relation;

void set(Lpgnet& lpgnet, const char* name, const char* value) {
  Options options;
  lpgnet.declare(options);
  options.set(name, value);
}

TEST(Lpgnet, IsPureWhateverTheNumberOfStages) {
  for (const char* hops : {"1", "2", "3"}) {
    Lpgnet lpgnet;
    set(lpgnet, "hops", hops);
    for (const Relation relation : lpgnet.relations()) {
      const account::Ledger ledger = lpgnet.plan(0.5, tiny_setting(relation)).ledger();
      EXPECT_NEAR(account::spent_epsilon(ledger, 0), 2, 1e-6) << hops;
    }
  }
}

TEST(Lpgnet, CountsEveryNeighborOnceInEachStage) {
  const Lpgnet lpgnet;
  const Task task = tiny_task(Relation::Edge);
  Release release = any_release(Relation::Edge, lpgnet.plan(0.01, tiny_setting(Relation::Edge)));
  mechanism::Watcher watcher;
  mechanism::ObserverAccess::watch(release, watcher);
  lpgnet.run(task, release);
  ASSERT_EQ(watcher.seen.size(), 2u);
  for (const mechanism::Seen& seen : watcher.seen) {
    ASSERT_EQ(seen.rows, task.data.nodes());
    for (int64_t v = 0; v < seen.rows; ++v) {
      double sum = 0;
      for (int64_t c = 0; c < task.data.classes; ++c) sum += seen(v, c);
      EXPECT_EQ(sum, static_cast<double>(task.data.graph.in_degree(v)));
    }
  }
}

// With hardly any noise the counts say more than the features.
TEST(Lpgnet, GainsFromTheGraph) {
  const Task task = tiny_task(Relation::Edge);
  const Lpgnet lpgnet;
  Release release = any_release(Relation::Edge, lpgnet.plan(0.02, tiny_setting(Relation::Edge)));
  const Output with = lpgnet.run(task, release);
  const Mlp mlp;
  Release nothing = any_release(Relation::Edge, {});
  const Output without = mlp.run(task, nothing);
  EXPECT_GT(accuracy_on(values(with.predictions), tiny_split().test),
            accuracy_on(values(without.predictions), tiny_split().test) + 0.02);
}

TEST(Lpgnet, OnlyTrainingAndValidationLabelsAreRead) {
  const Lpgnet lpgnet;
  graph::Dataset other = tiny_data();
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  for (const int32_t v : tiny_split().test) labels[static_cast<size_t>(v)] = 0;
  other.labels = SharedArray<int32_t>(std::move(labels));
  const auto predictions = [&](const graph::Dataset& data) {
    const Task task{.data = data, .split = tiny_split(), .relation = Relation::Edge, .seed = Seed::from_number(3)};
    Release release = any_release(Relation::Edge, lpgnet.plan(1, tiny_setting(Relation::Edge)));
    return values(lpgnet.run(task, release).predictions).clone();
  };
  EXPECT_TRUE(std::ranges::equal(predictions(tiny_data()).values(), predictions(other).values()));
}

}  // namespace
}  // namespace graphveil::method::lpgnet_test
