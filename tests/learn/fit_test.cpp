#include "graphveil/learn/fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/context.h"
#include "graphveil/base/curves.h"
#include "graphveil/method/mlp.h"
#include "tests/kernels/support.h"
#include "tests/method/tiny_task.h"
#include "tests/nn/memory_checkpoints.h"

namespace graphveil::learn::fit_test {
namespace {

using namespace method;  // the tiny graph and its networks

TEST(Fit, LearnsTheTrainingLabels) {
  for (std::optional<int64_t> batch : {std::optional<int64_t>(), std::optional<int64_t>(50)}) {
    MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
    const auto& train = tiny_split().train;
    const double before = evaluate_accuracy(network, train, tiny_data().labels);
    fit(network, {tiny_data().labels, train, {}}, {.epochs = 60, .batch_size = batch}, Seed::from_number(2), "test",
        public_test_data());
    EXPECT_GT(evaluate_accuracy(network, train, tiny_data().labels), before + 0.2);
  }
}

TEST(Fit, TellsItsCurvesToWhoeverListensAndLearnsTheSame) {
  const auto trained = [&] {
    MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
    fit(network, {tiny_data().labels, tiny_split().train, tiny_split().val}, {.epochs = 30}, Seed::from_number(2),
        "test", public_test_data());
    return network.parameters().values().clone();
  };
  CurveRecorder recorder;
  const Matrix unheard = trained();
  const CurveScope scope(recorder);
  const Matrix heard = trained();
  EXPECT_TRUE(std::ranges::equal(unheard.values(), heard.values()));
  ASSERT_EQ(recorder.curves().size(), 2u);
  const Curve& loss = recorder.curves()[0];
  EXPECT_EQ(loss.stage, "test");
  EXPECT_EQ(loss.what, "loss");
  ASSERT_EQ(loss.values.size(), 30u);
  EXPECT_NEAR(loss.values.front(), std::log(static_cast<double>(tiny_data().classes)), 1);
  EXPECT_LT(loss.values.back(), loss.values.front());
  EXPECT_EQ(recorder.curves()[1].what, "validation accuracy");
}

TEST(Fit, PublicValidationKeepsTheBestEpoch) {
  const FitData last{tiny_data().labels, tiny_split().train, {}};
  FitData best = last;
  best.public_validation = tiny_split().val;
  MlpNetwork a(tiny_data(), {}, true, Seed::from_number(1)), b(tiny_data(), {}, true, Seed::from_number(1));
  fit(a, last, {.epochs = 80}, Seed::from_number(2), "test", public_test_data());
  fit(b, best, {.epochs = 80}, Seed::from_number(2), "test", public_test_data());
  EXPECT_GE(evaluate_accuracy(b, tiny_split().val, tiny_data().labels),
            evaluate_accuracy(a, tiny_split().val, tiny_data().labels));
}

TEST(Fit, GivesOutTheStateOfTheNetwork) {
  MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
  const auto state = fit(network, {tiny_data().labels, tiny_split().train, {}}, {.epochs = 2}, Seed::from_number(2),
                         "test", public_test_data(), "p/");
  nn::State want;
  network.save(want, "p/");
  ASSERT_EQ(state.value().size(), want.size());
  for (const auto& [name, tensor] : want) EXPECT_EQ(state.value().at(name).bytes, tensor.bytes) << name;
}

TEST(Fit, NodesWithoutALabelAreLeftOut) {
  std::vector<int32_t> labels(tiny_data().labels.begin(), tiny_data().labels.end());
  std::vector<int32_t> fewer = tiny_split().train;
  const int32_t gone = fewer.front();
  fewer.erase(fewer.begin());
  labels[static_cast<size_t>(gone)] = graph::kUnlabeled;
  const auto trained = [&](const std::vector<int32_t>& train) {
    MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
    fit(network, {labels, train, {}}, {.epochs = 3, .batch_size = 50}, Seed::from_number(2), "test",
        public_test_data());
    return network.parameters().values().clone();
  };
  const Matrix with = trained(tiny_split().train), without = trained(fewer);
  EXPECT_TRUE(std::ranges::equal(with.values(), without.values()));
  MlpNetwork network(tiny_data(), {}, true, Seed::from_number(1));
  const std::vector<int32_t> nobody{gone};
  EXPECT_THROW(fit(network, {labels, nobody, {}}, {}, Seed::from_number(2), "test", public_test_data()), Error);
}

// Killed after every one of its epochs in turn, a fit ends with the bits of one that was not: on sparse rows too, of
// which so many are summed in another order in the first step than in those that find them transposed.
TEST(Fit, GoesOnWhereItWasKilled) {
  constexpr int64_t kNodes = 6000, kEpochs = 4;
  graph::Dataset data;
  data.graph = graph::Graph::from_edges(kNodes, {}, {});
  data.features = graph::Features(kernels::random_sparse(kNodes, 40, 9, true, 3));
  data.classes = 3;
  std::vector<int32_t> labels, train;
  for (int32_t v = 0; v < kNodes; ++v) {
    labels.push_back((v * v + 1) % 3);
    train.push_back(v);
  }
  data.labels = SharedArray<int32_t>(std::move(labels));
  for (const std::optional<int64_t> batch : {std::optional<int64_t>(), std::optional<int64_t>(2000)}) {
    const auto fitted = [&](const std::shared_ptr<nn::MemoryCheckpoints>& store) {
      const ContextScope scope({.checkpoints = store});
      MlpNetwork network(data, {.hidden_dim = 16, .dropout = 0.2}, true, Seed::from_number(1));
      return fit(network, {data.labels.span(), train, {}}, {.epochs = kEpochs, .batch_size = batch},
                 Seed::from_number(2), "test", public_test_data())
          .value();
    };
    const nn::State whole = fitted(nullptr);
    for (int epoch = 1; epoch < kEpochs; ++epoch) {
      const auto killed = std::make_shared<nn::MemoryCheckpoints>(), next = std::make_shared<nn::MemoryCheckpoints>();
      killed->dies_at = epoch;
      EXPECT_THROW(fitted(killed), Error);
      next->kept = killed->kept;
      const nn::State resumed = fitted(next);
      EXPECT_EQ(next->saves, kEpochs - epoch);
      for (const auto& [name, tensor] : whole) EXPECT_EQ(resumed.at(name).bytes, tensor.bytes) << name << epoch;
    }
  }
}

TEST(LastFit, DiffersOnlyInWhatIsSet) {
  LastFitOptions last;
  Options options;
  last.declare(options);
  const FitOptions before{.epochs = 7, .learning_rate = 0.2, .weight_decay = 0.3};
  EXPECT_EQ(last.over(before).epochs, 7);
  EXPECT_EQ(last.over(before).weight_decay, 0.3);
  options.set("last-learning-rate", "0.5");
  options.set("last-epochs", "9");
  EXPECT_EQ(last.over(before).epochs, 9);
  EXPECT_EQ(last.over(before).learning_rate, 0.5);
  EXPECT_EQ(last.over(before).weight_decay, 0.3);
}

}  // namespace
}  // namespace graphveil::learn::fit_test
