#include "graphveil/learn/fit.h"

#include <gtest/gtest.h>

#include "graphveil/method/mlp.h"
#include "tests/method/tiny_task.h"

namespace graphveil::learn {
namespace {

TEST(Fit, LearnsTheTrainingLabels) {
  for (std::optional<int64_t> batch : {std::optional<int64_t>(), std::optional<int64_t>(50)}) {
    MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
    const auto& train = tiny_split().train;
    const double before = evaluate_accuracy(network, train, tiny_data().labels);
    fit(network, {tiny_data().labels, train, {}}, {.epochs = 60, .batch_size = batch}, Seed::from_number(2), "test");
    EXPECT_GT(evaluate_accuracy(network, train, tiny_data().labels), before + 0.2);
  }
}

TEST(Fit, PublicValidationKeepsTheBestEpoch) {
  const FitData last{tiny_data().labels, tiny_split().train, {}};
  FitData best = last;
  best.public_validation = tiny_split().val;
  MlpNetwork a(tiny_data(), {}, true, Seed::from_number(1)), b(tiny_data(), {}, true, Seed::from_number(1));
  fit(a, last, {.epochs = 80}, Seed::from_number(2), "test");
  fit(b, best, {.epochs = 80}, Seed::from_number(2), "test");
  EXPECT_GE(evaluate_accuracy(b, tiny_split().val, tiny_data().labels),
            evaluate_accuracy(a, tiny_split().val, tiny_data().labels));
}

}  // namespace
}  // namespace graphveil::learn
