#include "graphveil/nn/ops_elementwise.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_elementwise_test {
namespace {

using OpsElementwise = GradientCheck;

TEST_F(OpsElementwise, AddGradient) {
  const auto x = add_input(3, 4), y = add_input(3, 4);
  check_operation([&](Tape& t) { return add(parameter(t, x), parameter(t, y)); });
}

// A sum hands the memory of its gradient on; what else its inputs feed must not be disturbed.
TEST_F(OpsElementwise, AddOfValuesUsedAgainGradient) {
  const auto x = add_input(3, 4), y = add_input(3, 4);
  check_operation([&](Tape& t) {
    const Var a = nn::tanh(parameter(t, x)), b = nn::tanh(parameter(t, y));
    const Var sum = add(a, b);
    return multiply(add(sum, b), add(add(b, a), add(a, sum)));
  });
}

TEST_F(OpsElementwise, AddToItselfGradient) {
  const auto x = add_input(3, 4);
  check_operation([&](Tape& t) {
    const Var v = parameter(t, x);
    const Var twice = add(v, v);
    return add(twice, multiply(twice, twice));
  });
}

TEST_F(OpsElementwise, MultiplyGradient) {
  const auto x = add_input(3, 4), y = add_input(3, 4);
  check_operation([&](Tape& t) { return multiply(parameter(t, x), parameter(t, y)); });
}

TEST_F(OpsElementwise, ScaleGradient) {
  const auto x = add_input(3, 4);
  check_operation([&](Tape& t) { return scale(parameter(t, x), Real(-1.7)); });
}

TEST_F(OpsElementwise, ActivationGradients) {
  const auto x = add_input(5, 7);
  for (Var (*f)(Var) : {relu, selu, elu, leaky_relu, nn::tanh, sigmoid}) {
    check_operation([&](Tape& t) { return f(parameter(t, x)); });
  }
}

TEST_F(OpsElementwise, DropoutGradient) {
  const auto x = add_input(6, 5);
  check_operation([&](Tape& t) { return dropout(parameter(t, x), 0.4); });
}

TEST_F(OpsElementwise, DropoutKeepsTheMeanAndTheShare) {
  Tape tape(Seed::from_number(3));
  tape.start();
  Matrix ones(200, 100);
  for (Real& v : ones.values()) v = 1;
  const Var y = dropout(tape.input(ones), 0.6);
  int64_t kept = 0;
  for (int64_t r = 0; r < y.rows(); ++r) {
    for (const Real v : y.value().row(r)) {
      if (v == 0) continue;
      EXPECT_NEAR(v, 2.5, 1e-3);
      ++kept;
    }
  }
  EXPECT_NEAR(static_cast<double>(kept) / 20000, 0.4, 0.02);  // five standard deviations are 0.0173
}

TEST_F(OpsElementwise, DropoutDiffersFromStepToStepAndIsOffInEvaluation) {
  Tape tape(Seed::from_number(3));
  Matrix ones(20, 10);
  for (Real& v : ones.values()) v = 1;
  const auto draw = [&] {
    tape.start();
    const ConstMatrixView y = dropout(tape.input(ones), 0.5).value();
    return std::vector<Real>(y.data, y.data + y.size());
  };
  const auto first = draw(), second = draw();
  EXPECT_NE(first, second);
  tape.set_draws(0);
  EXPECT_EQ(draw(), first);
  tape.start(Tape::Mode::Evaluate);
  const Var x = tape.input(ones);
  EXPECT_EQ(dropout(x, 0.5).index, x.index);
}

// A record that is not drawn, or blank, changes nothing about the others.
TEST_F(OpsElementwise, DropoutOfASampleFollowsItsNameAndStep) {
  Tape tape(Seed::from_number(3));
  const auto draw = [&](const std::vector<int32_t>& names, int64_t step) {
    Matrix ones(static_cast<int64_t>(names.size()), 40);
    for (Real& v : ones.values()) v = 1;
    tape.start_per_sample(ones.rows(), names, step);
    const ConstMatrixView y = dropout(dropout(tape.input(ones), 0.3), 0.3).value();
    std::vector<std::vector<Real>> rows;
    for (int64_t r = 0; r < y.rows; ++r) rows.emplace_back(y.row(r).begin(), y.row(r).end());
    return rows;
  };
  const auto all = draw({4, 7, 9}, 2), without = draw({4, 9}, 2), turned = draw({9, 4}, 2), later = draw({4, 9}, 3);
  EXPECT_EQ(without[0], all[0]);
  EXPECT_EQ(without[1], all[2]);
  EXPECT_EQ(turned[0], all[2]);
  EXPECT_NE(all[0], all[1]);
  EXPECT_NE(later[0], all[0]);
}

TEST_F(OpsElementwise, RefusesBadArguments) {
  Tape tape(Seed::from_number(3));
  tape.start();
  const Matrix a(2, 3), b(3, 2);
  EXPECT_THROW(add(tape.input(a), tape.input(b)), Error);
  EXPECT_THROW(multiply(tape.input(a), tape.input(b)), Error);
  EXPECT_THROW(dropout(tape.input(a), 1.0), Error);
}

}  // namespace
}  // namespace graphveil::nn::ops_elementwise_test
