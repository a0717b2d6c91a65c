#include "graphveil/nn/layers_dense.h"

#include "tests/nn/gradient_check.h"
#include "tests/nn/test_layers.h"

namespace graphveil::nn::layers_dense_test {
namespace {

using LayersDense = GradientCheck;

TEST_F(LayersDense, MlpGradient) {
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters_, "mlp", {.widths = {4, 5, 3}, .activation = Activation::Tanh, .dropout = 0.3}, random);
  const Matrix x = random_matrix(6, 4);
  check_operation([&](Tape& t) { return mlp(t.input(x)); });
}

TEST_F(LayersDense, SparseInputGivesTheSameAsDense) {
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters_, "mlp", {.widths = {4, 5, 3}, .activation = Activation::Selu}, random);
  const std::vector<int64_t> offsets = {0, 2, 3};
  const std::vector<int32_t> indices = {0, 3, 2};
  const std::vector<Real> values = {2, -1, 3};
  Matrix dense(2, 4);
  dense(0, 0) = 2;
  dense(0, 3) = -1;
  dense(1, 2) = 3;
  Tape tape(Seed::from_number(1));
  tape.start();
  const Var a = mlp(Input(tape, {{2, 4, offsets, indices, values}}));
  const Var b = mlp(tape.input(dense));
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t c = 0; c < 3; ++c) EXPECT_NEAR(a.value()(r, c), b.value()(r, c), 1e-6);
  }
}

TEST_F(LayersDense, StartsAsPyTorchDoes) {
  RandomStream random(Seed::from_number(1), "init");
  const Linear layer(parameters_, "linear", 100, 200, random);
  double square = 0, largest = 0;
  for (const Real w : parameters_.values().values()) {
    square += double{w} * w;
    largest = std::max(largest, std::abs(double{w}));
  }
  // Uniform on +-1/sqrt(100): variance 0.01 / 3.
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.0999);
  EXPECT_NEAR(square / static_cast<double>(parameters_.size()), 0.01 / 3, 1e-4);
}

TEST_F(LayersDense, EachLayerIsItsOwnClippingGroup) {
  RandomStream random(Seed::from_number(1), "init");
  const Mlp mlp(parameters_, "mlp", {.widths = {4, 5, 3}}, random);
  ASSERT_EQ(parameters_.groups(), 2);
  EXPECT_EQ(parameters_.info(0).group, 0);
  EXPECT_EQ(parameters_.info(1).group, 0);
  EXPECT_EQ(parameters_.info(2).group, 1);
  EXPECT_EQ(parameters_.info(0).name, "mlp.0.weight");
}

TEST_F(LayersDense, RefusesAnMlpWithoutLayers) {
  RandomStream random(Seed::from_number(1), "init");
  EXPECT_THROW(Mlp(parameters_, "mlp", {.widths = {4}}, random), Error);
}

}  // namespace
}  // namespace graphveil::nn::layers_dense_test
