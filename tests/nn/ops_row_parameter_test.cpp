#include "graphveil/nn/ops_row_parameter.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_row_parameter_test {
namespace {

using OpsRowParameter = GradientCheck;

TEST_F(OpsRowParameter, ScaleColumnsGradient) {
  const auto x = add_input(5, 4), s = add_input(1, 4);
  check_operation([&](Tape& t) { return scale_columns(parameter(t, x), parameter(t, s)); });
}

TEST_F(OpsRowParameter, ScaleByOnePlusGradient) {
  const auto x = add_input(5, 4), s = add_input(1, 1);
  check_operation([&](Tape& t) { return scale_by_one_plus(parameter(t, x), parameter(t, s)); });
}

TEST_F(OpsRowParameter, HeadDotGradient) {
  const auto x = add_input(5, 6), v = add_input(1, 6);
  for (const int64_t heads : {1, 2, 3, 6}) {
    check_operation([&](Tape& t) { return head_dot(parameter(t, x), parameter(t, v), heads); });
  }
}

TEST_F(OpsRowParameter, PreluGradient) {
  const auto x = add_input(5, 4), one = add_input(1, 1), many = add_input(1, 4);
  check_operation([&](Tape& t) { return prelu(parameter(t, x), parameter(t, one)); });
  check_operation([&](Tape& t) { return prelu(parameter(t, x), parameter(t, many)); });
}

TEST_F(OpsRowParameter, RefusesShapesThatDoNotFit) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(3, 4), wrong(1, 3), tall(2, 4);
  EXPECT_THROW(scale_columns(tape.input(x), tape.constant(wrong)), Error);
  EXPECT_THROW(scale_columns(tape.input(x), tape.constant(tall)), Error);
  EXPECT_THROW(scale_by_one_plus(tape.input(x), tape.constant(wrong)), Error);
  EXPECT_THROW(head_dot(tape.input(x), tape.constant(wrong), 2), Error);
  EXPECT_THROW(prelu(tape.input(x), tape.constant(wrong)), Error);
}

}  // namespace
}  // namespace graphveil::nn::ops_row_parameter_test
