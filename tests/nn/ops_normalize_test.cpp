#include "graphveil/nn/ops_normalize.h"

#include "graphveil/nn/ops_loss.h"
#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_normalize_test {
namespace {

using OpsNormalize = GradientCheck;

TEST_F(OpsNormalize, NormalizeRowsGradient) {
  const auto x = add_input(4, 3);
  check_operation([&](Tape& t) { return normalize_rows(parameter(t, x)); });
}

TEST_F(OpsNormalize, SoftmaxGradient) {
  const auto x = add_input(4, 3);
  check_operation([&](Tape& t) { return softmax(parameter(t, x)); });
}

TEST_F(OpsNormalize, LogSoftmaxGradient) {
  const auto x = add_input(4, 3);
  check_operation([&](Tape& t) { return log_softmax(parameter(t, x)); });
}

TEST_F(OpsNormalize, BatchNormGradientInTraining) {
  const auto x = add_input(6, 3), gamma = add_input(1, 3), beta = add_input(1, 3);
  BatchNormState state(3);
  check_operation([&](Tape& t) { return batch_norm(parameter(t, x), parameter(t, gamma), parameter(t, beta), state); });
}

TEST_F(OpsNormalize, BatchNormAndActivationAreOneOperationOrTwo) {
  const auto x = add_input(6, 3), gamma = add_input(1, 3), beta = add_input(1, 3);
  for (const Activation activation : {Activation::Selu, Activation::Tanh}) {
    BatchNormState state(3);
    const auto fused = [&](Tape& t, Var rows) {
      return batch_norm(rows, parameter(t, gamma), parameter(t, beta), state, activation);
    };
    const auto apart = [&](Tape& t, Var rows) {
      return activate(batch_norm(rows, parameter(t, gamma), parameter(t, beta), state), activation);
    };
    // Selu has a kink that finite differences stumble over.
    if (activation == Activation::Tanh) check_operation([&](Tape& t) { return fused(t, parameter(t, x)); });
    // Where the rows are data only gamma and beta have gradients.
    Matrix rows(5, 3);
    for (int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<Real>((7 * i) % 11);
    Matrix gradients[2];
    Tape tape(Seed::from_number(1));
    for (int turn = 0; turn < 2; ++turn) {
      parameters_.zero_gradients();
      tape.start();
      const Var y = turn == 0 ? fused(tape, tape.input(rows)) : apart(tape, tape.input(rows));
      const std::vector<int32_t> labels{0, 1, 2, 0, 1};
      tape.backward(cross_entropy(y, labels));
      gradients[turn] = parameters_.gradients().clone();
    }
    for (int64_t i = 0; i < gradients[0].size(); ++i) EXPECT_EQ(gradients[0](0, i), gradients[1](0, i));
  }
}

// In evaluation the map is y = gamma (x - mean) / sqrt(variance + epsilon) + beta with the running statistics.
TEST_F(OpsNormalize, BatchNormStatisticsFollowPyTorch) {
  Tape tape(Seed::from_number(1));
  Matrix x(4, 1), one(1, 1), zero(1, 1);
  for (int64_t r = 0; r < 4; ++r) x(r, 0) = static_cast<Real>(r + 1);  // mean 2.5, unbiased variance 5/3
  one(0, 0) = 1;
  BatchNormState state(1);
  tape.start();
  const Var y = batch_norm(tape.input(x), tape.constant(one), tape.constant(zero), state);
  EXPECT_NEAR(y.value()(0, 0), -1.5 / std::sqrt(1.25 + 1e-5), 1e-5);
  EXPECT_NEAR(state.mean(0, 0), 0.25, 1e-6);
  EXPECT_NEAR(state.variance(0, 0), 0.9 + 0.1 * 5 / 3, 1e-6);
  tape.start(Tape::Mode::Evaluate);
  const Var z = batch_norm(tape.input(x), tape.constant(one), tape.constant(zero), state);
  EXPECT_NEAR(z.value()(3, 0), (4 - 0.25) / std::sqrt(0.9 + 0.5 / 3 + 1e-5), 1e-5);
}

TEST_F(OpsNormalize, ZeroRowStaysZero) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(2, 3);
  const Var y = normalize_rows(tape.input(x));
  EXPECT_EQ(y.value()(0, 0), 0);
}

TEST_F(OpsNormalize, BatchNormIsRefusedInAPerSampleStep) {
  Tape tape(Seed::from_number(1));
  tape.start_per_sample(3);
  const Matrix x(3, 2), g(1, 2);
  BatchNormState state(2);
  try {
    batch_norm(tape.input(x), tape.constant(g), tape.constant(g), state);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  }
}

}  // namespace
}  // namespace graphveil::nn::ops_normalize_test
