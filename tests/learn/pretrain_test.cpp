#include "graphveil/learn/pretrain.h"

#include <cmath>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/graph/normalize.h"
#include "graphveil/learn/pretrain_edge.h"
#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"
#include "tests/threads.h"

namespace graphveil::learn::pretrain_test {
namespace {

constexpr BackboneKind kArchitectures[] = {BackboneKind::Gcn, BackboneKind::Gat, BackboneKind::Transformer};
constexpr PretrainKind kTasks[] = {PretrainKind::Dgi, PretrainKind::GraphMae, PretrainKind::Edge,
                                   PretrainKind::SimGrace};

PretrainOptions small_options() {
  return {.svd = 12, .hidden = 16, .layers = 2, .heads = 2, .epochs = 60, .learning_rate = 0.01};
}

Pretrained small(BackboneKind architecture, PretrainKind task, const graph::Dataset& data = method::tiny_public_data(),
                 int64_t epochs = 60) {
  PretrainOptions options = small_options();
  options.epochs = epochs;
  options.architecture = architecture;
  options.task = task;
  return pretrain(method::vouched(data), options, Seed::from_number(4));
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::span<const Real> weights(const Pretrained& p) { return p.backbone.parameters().values().values(); }

TEST(Pretrain, EveryArchitectureLearnsEveryTask) {
  for (const BackboneKind architecture : kArchitectures) {
    for (const PretrainKind task : kTasks) {
      const Pretrained p = small(architecture, task);
      const std::span<const double> losses = p.losses;
      ASSERT_EQ(losses.size(), 60u);
      EXPECT_TRUE(p.backbone.parameters().frozen());
      if (task == PretrainKind::Edge) continue;  // its loss goes nowhere near zero: see below
      EXPECT_LT(mean(losses.last(10)), 0.9 * mean(losses.first(10)))
          << to_string(architecture) << " " << to_string(task);
    }
  }
}

// Which edges there are is mostly chance. What can be learned shows against a backbone of one step, draw by draw.
TEST(Pretrain, HiddenEdgesAreToldBetterThanBefore) {
  const graph::Dataset& data = method::tiny_public_data();
  for (const BackboneKind architecture : kArchitectures) {
    const Pretrained first = small(architecture, PretrainKind::Edge, data, 1);
    const Pretrained last = small(architecture, PretrainKind::Edge, data, 300);
    const Matrix x = last.basis(data.features);
    const nn::Edges edges(data.graph.in_view(), edge_options(architecture));
    const auto loss = [&](const Pretrained& p, int64_t epoch) {
      EdgePrediction task(p.backbone, {data.graph, x, edges}, Seed::from_number(8));
      nn::Tape tape(Seed::from_number(1));
      tape.start();
      return task.loss(tape, epoch).value()(0, 0);
    };
    constexpr int kDraws = 50;
    double sum = 0, squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const double gain = loss(first, draw) - loss(last, draw);
      sum += gain;
      squares += gain * gain;
    }
    const double gained = sum / kDraws, deviation = std::sqrt(squares / kDraws - gained * gained);
    EXPECT_GT(gained, 4 * deviation / std::sqrt(kDraws)) << to_string(architecture);
  }
}

TEST(Pretrain, ReadsNoLabelAndGivesTheSameForAnyNumberOfThreads) {
  for (const PretrainKind task : kTasks) {
    set_thread_count(1);
    const Pretrained one = small(BackboneKind::Gat, task, method::tiny_labeled_public_data());
    set_thread_count(2);
    const Pretrained two = small(BackboneKind::Gat, task);
    EXPECT_TRUE(std::ranges::equal(weights(one), weights(two))) << to_string(task);
  }
}

TEST(Pretrain, LoadsWhatItSaved) {
  const Pretrained p = small(BackboneKind::Transformer, PretrainKind::Edge);
  nn::State state;
  p.save(state, "");
  const Pretrained again = Pretrained::loaded(state, "");
  EXPECT_EQ(again.options.shape(), p.options.shape());
  EXPECT_EQ(again.options.task, PretrainKind::Edge);
  EXPECT_EQ(again.options.epochs, 60);
  EXPECT_NEAR(again.options.learning_rate, 0.01, 1e-8);
  EXPECT_TRUE(std::ranges::equal(weights(again), weights(p)));
  EXPECT_TRUE(again.backbone.parameters().frozen());
  const graph::Features& features = method::tiny_public_data().features;
  EXPECT_TRUE(std::ranges::equal(again.basis(features).values(), p.basis(features).values()));
}

TEST(Pretrain, RefusesAStateThatIsNotWholeOrNotItsOwn) {
  nn::State good;
  small(BackboneKind::Gcn, PretrainKind::Dgi).save(good, "");
  const auto refused = [](const nn::State& state) {
    try {
      Pretrained::loaded(state, "");
    } catch (const Error& error) {
      return error.kind() == ErrorKind::BadInput;
    }
    return false;
  };
  for (const auto& [name, tensor] : good) {
    nn::State state = good;
    state.erase(name);
    EXPECT_TRUE(refused(state)) << name << " is missing";
  }
  nn::State state = good;
  state["more"] = nn::to_tensor(int64_t{1});
  EXPECT_TRUE(refused(state));
  state = good;
  state["task"] = nn::to_tensor(std::vector<uint8_t>{'x'});
  EXPECT_TRUE(refused(state));
  state = good;
  state["epochs"] = nn::to_tensor(int64_t{-1});
  EXPECT_TRUE(refused(state));
  state = good;
  state["basis.map"] = nn::to_tensor(Matrix(5, 4));
  EXPECT_TRUE(refused(state)) << "another width than the backbone reads";
  EXPECT_FALSE(refused(good));
}

TEST(Pretrain, ABasisOfTheSameWidthIsKeptAndAnotherFitted) {
  const Pretrained p = small(BackboneKind::Gcn, PretrainKind::Dgi);
  const graph::Features& same = method::tiny_public_data().features;
  EXPECT_TRUE(std::ranges::equal(p.basis_for(same, Seed::from_number(9))(same).values(), p.basis(same).values()));
  const graph::Features wider = graph::with_constant(same, 1);
  const FeatureBasis other = p.basis_for(wider, Seed::from_number(9));
  EXPECT_EQ(other.inputs(), wider.cols());
  EXPECT_EQ(other.dim(), 12);
}

TEST(Pretrain, SaysWhatIsWrong) {
  PretrainOptions options = small_options();
  options.learning_rate = 1e6;
  options.task = PretrainKind::Dgi;  // the losses of cosines are bounded
  try {
    pretrain(method::vouched(method::tiny_public_data()), options, Seed::from_number(4));
    ADD_FAILURE() << "a rate of a million";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotConverged);
  }
  options = small_options();
  options.heads = 3;
  EXPECT_THROW(pretrain(method::vouched(method::tiny_public_data()), options, Seed::from_number(4)), Error);
  EXPECT_THROW(pretrain(method::vouched({}), small_options(), Seed::from_number(4)), Error);
}

}  // namespace
}  // namespace graphveil::learn::pretrain_test
