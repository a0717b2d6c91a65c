#include "graphveil/nn/layers_attention.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn {
namespace {

class LayersAttention : public GradientCheck {
 protected:
  std::vector<int64_t> offsets_ = {0, 2, 3, 4, 5};
  std::vector<int32_t> sources_ = {1, 2, 0, 0, 2};
  Edges edges_{SparseView{4, 4, offsets_, sources_, {}}, {true, EdgeWeights::None}};
  // A seed whose attention scores stay clear of the kink of leaky ReLU.
  RandomStream init_{Seed::from_number(7), "init"};
};

TEST_F(LayersAttention, GatGradient) {
  const Matrix x = random_matrix(4, 3);
  for (const Attention attention : {Attention::Additive, Attention::DotProduct}) {
    for (const bool concat : {true, false}) {
      const GatOptions options{
          .in = 3, .width = 2, .heads = 3, .concat = concat, .attention = attention, .attention_dropout = 0.2};
      const GatLayer layer(parameters_, "gat" + std::to_string(parameters_.count()), options, init_);
      check_operation([&](Tape& t) { return layer(t.input(x), edges_); });
    }
  }
}

TEST_F(LayersAttention, TransformerGradient) {
  const Matrix x = random_matrix(4, 3);
  for (const bool concat : {true, false}) {
    const TransformerLayer layer(parameters_, "t" + std::to_string(concat),
                                 {.in = 3, .width = 2, .heads = 2, .concat = concat}, init_);
    check_operation([&](Tape& t) { return layer(t.input(x), edges_); });
  }
}

// With equal rows every score is equal, so attention is the mean over the neighbors: each output row is x W + b.
TEST_F(LayersAttention, EqualRowsAreAveraged) {
  const GatLayer layer(parameters_, "gat", {.in = 2, .width = 2, .heads = 1}, init_);
  Matrix x(4, 2);
  for (Real& v : x.values()) v = 1;
  Tape tape(Seed::from_number(1));
  tape.start();
  const Var y = layer(tape.input(x), edges_);
  const double expected = parameters_.value(0)(0, 0) + parameters_.value(0)(1, 0);
  for (int64_t r = 0; r < 4; ++r) EXPECT_NEAR(y.value()(r, 0), expected, 1e-6);
}

TEST_F(LayersAttention, RefusesNoHeads) {
  EXPECT_THROW(GatLayer(parameters_, "gat", {.in = 2, .width = 2, .heads = 0}, init_), Error);
}

}  // namespace
}  // namespace graphveil::nn
