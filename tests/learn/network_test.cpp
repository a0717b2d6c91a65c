#include "graphveil/learn/network.h"

#include <gtest/gtest.h>

#include "graphveil/method/mlp.h"
#include "tests/method/tiny_task.h"

namespace graphveil::learn::network_test {
namespace {

using namespace method;  // the tiny graph and its networks

TEST(Network, SavedAndLoadedGivesTheSameProbabilities) {
  MlpNetwork a(tiny_data(), {}, true, Seed::from_number(1)), b(tiny_data(), {}, true, Seed::from_number(2));
  nn::State state;
  a.save(state, "x/");
  b.load(state, "x/");
  const Matrix p = class_probabilities(a, tiny_data().nodes()), q = class_probabilities(b, tiny_data().nodes());
  for (int64_t i = 0; i < p.size(); ++i) EXPECT_EQ(p.data()[i], q.data()[i]);
  EXPECT_THROW(b.load(state, "y/"), Error);
}

TEST(Network, AccuracyCountsRightLabels) {
  MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
  const Matrix p = class_probabilities(network, tiny_data().nodes());
  EXPECT_NEAR(evaluate_accuracy(network, tiny_split().test, tiny_data().labels), accuracy_on(p, tiny_split().test),
              1e-12);
  EXPECT_EQ(evaluate_accuracy(network, {}, tiny_data().labels), 0);
  // On one tape, other nodes each time.
  nn::Tape tape(Seed::from_number(1));
  for (int round = 0; round < 2; ++round) {
    for (const auto* nodes : {&tiny_split().test, &tiny_split().train}) {
      const auto right = static_cast<double>(count_right(network, *nodes, tiny_data().labels, tape));
      EXPECT_NEAR(right / static_cast<double>(nodes->size()), accuracy_on(p, *nodes), 1e-12);
    }
  }
}

}  // namespace
}  // namespace graphveil::learn::network_test
