#include "graphveil/nn/layers_convolution.h"

#include "tests/nn/gradient_check.h"
#include "tests/nn/test_layers.h"

namespace graphveil::nn::layers_convolution_test {
namespace {

class LayersConvolution : public GradientCheck {
 protected:
  // 1 - 0 - 2 and 2 -> 3; node 3 receives only.
  std::vector<int64_t> offsets_ = {0, 2, 3, 4, 5};
  std::vector<int32_t> sources_ = {1, 2, 0, 0, 2};
  SparseView in() const { return {4, 4, offsets_, sources_, {}}; }
  RandomStream init_{Seed::from_number(2), "init"};
};

TEST_F(LayersConvolution, GcnGradient) {
  const GcnLayer first(parameters_, "a", 3, 4, init_), second(parameters_, "b", 4, 2, init_);
  const Matrix x = random_matrix(4, 3);
  for (const EdgeWeights weights : {EdgeWeights::Symmetric, EdgeWeights::InverseDegree}) {
    const Edges edges(in(), {true, weights});
    check_operation([&](Tape& t) { return second(nn::tanh(first(t.input(x), edges)), edges); });
  }
}

TEST_F(LayersConvolution, GcnByHand) {
  const GcnLayer layer(parameters_, "a", 1, 1, init_);
  parameters_.value(0)(0, 0) = 2;
  parameters_.value(1)(0, 0) = 1;
  Matrix x(4, 1);
  for (int64_t r = 0; r < 4; ++r) x(r, 0) = static_cast<Real>(r + 1);
  Tape tape(Seed::from_number(1));
  tape.start();
  const Edges edges(in(), {true, EdgeWeights::Symmetric});
  // In-degrees with self-loops are 3, 2, 2, 2.
  const double expected = 2 * (1 / 3.0 + 2 / std::sqrt(6.0) + 3 / std::sqrt(6.0)) + 1;
  EXPECT_NEAR(layer(tape.input(x), edges).value()(0, 0), expected, 1e-5);
}

TEST_F(LayersConvolution, SageGradient) {
  const Matrix x = random_matrix(4, 3);
  for (const Aggregator aggregator : {Aggregator::Sum, Aggregator::Mean, Aggregator::Max}) {
    const SageLayer layer(parameters_, "sage" + std::to_string(static_cast<int>(aggregator)), 3, 4, aggregator, init_);
    const Edges edges(in(), {false, aggregator == Aggregator::Mean ? EdgeWeights::InverseDegree : EdgeWeights::None});
    check_operation([&](Tape& t) { return nn::tanh(layer(t.input(x), edges)); });
  }
}

TEST_F(LayersConvolution, SageRowsOfSomeNodesAreThoseOfAll) {
  const Matrix x = random_matrix(4, 3);
  const SageLayer layer(parameters_, "sage", 3, 4, Aggregator::Sum, init_);
  const Edges edges(in(), {});
  const std::vector<int32_t> nodes = {3, 0, 3};
  Tape tape(Seed::from_number(1));
  tape.start(Tape::Mode::Evaluate);
  const Var all = layer(tape.input(x), edges), some = layer.rows(tape.input(x), edges, nodes);
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t c = 0; c < 4; ++c) EXPECT_NEAR(some.value()(i, c), all.value()(nodes[i], c), 1e-6);
  }
  const SageLayer largest(parameters_, "largest", 3, 4, Aggregator::Max, init_);
  EXPECT_THROW(largest.rows(tape.input(x), edges, nodes), Error);
}

TEST_F(LayersConvolution, GinGradient) {
  const Matrix x = random_matrix(4, 3);
  const GinLayer layer(parameters_, "gin", 3, 4, Activation::Tanh, true, init_);
  const Edges edges(in(), {});
  check_operation([&](Tape& t) { return layer(t.input(x), edges); });
}

TEST_F(LayersConvolution, ReadoutGradient) {
  const auto x = add_input(4, 3);
  const std::vector<int64_t> graphs = {0, 1, 4};
  for (const Aggregator aggregator : {Aggregator::Sum, Aggregator::Mean, Aggregator::Max}) {
    check_operation([&](Tape& t) { return readout(parameter(t, x), graphs, aggregator); });
  }
}

TEST_F(LayersConvolution, SparseFeaturesGiveTheSameAsDense) {
  const std::vector<int64_t> offsets = {0, 1, 2, 4, 4};
  const std::vector<int32_t> indices = {0, 2, 1, 2};
  Matrix dense(4, 3);
  dense(0, 0) = dense(1, 2) = dense(2, 1) = dense(2, 2) = 1;
  const SageLayer sage(parameters_, "sage", 3, 2, Aggregator::Sum, init_);
  const GinLayer gin(parameters_, "gin", 3, 2, Activation::Relu, true, init_);
  const Edges edges(in(), {});
  Tape tape(Seed::from_number(1));
  const auto compare = [&](const auto& layer) {
    tape.start();
    const Var a = layer(Input(tape, {{4, 3, offsets, indices, {}}}), edges);
    const Var b = layer(tape.input(dense), edges);
    for (int64_t r = 0; r < 4; ++r) {
      for (int64_t c = 0; c < 2; ++c) EXPECT_NEAR(a.value()(r, c), b.value()(r, c), 1e-5);
    }
  };
  compare(sage);
  compare(gin);
  const SageLayer largest(parameters_, "max", 3, 2, Aggregator::Max, init_);
  EXPECT_THROW(largest(Input(tape, {{4, 3, offsets, indices, {}}}), edges), Error);
}

TEST_F(LayersConvolution, RefusesEdgesWithTheWrongWeights) {
  const GcnLayer gcn(parameters_, "gcn", 3, 2, init_);
  const SageLayer mean(parameters_, "mean", 3, 2, Aggregator::Mean, init_);
  const GinLayer gin(parameters_, "gin", 3, 2, Activation::Relu, false, init_);
  const Edges plain(in(), {}), weighted(in(), {true, EdgeWeights::Symmetric});
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(4, 3);
  EXPECT_THROW(gcn(tape.input(x), plain), Error);
  EXPECT_THROW(mean(tape.input(x), plain), Error);
  EXPECT_THROW(gin(tape.input(x), weighted), Error);
}

}  // namespace
}  // namespace graphveil::nn::layers_convolution_test
