#include "graphveil/nn/ops_shape.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_shape_test {
namespace {

using OpsShape = GradientCheck;

TEST_F(OpsShape, ConcatColumnsGradient) {
  const auto a = add_input(3, 2), b = add_input(3, 4), c = add_input(3, 1);
  check_operation([&](Tape& t) {
    return concat_columns(std::vector<Var>{parameter(t, a), parameter(t, b), parameter(t, c), parameter(t, a)});
  });
}

TEST_F(OpsShape, SliceColumnsGradient) {
  const auto x = add_input(3, 5);
  check_operation([&](Tape& t) { return slice_columns(parameter(t, x), 1, 3); });
}

TEST_F(OpsShape, GatherRowsGradient) {
  const auto x = add_input(4, 3);
  const std::vector<int32_t> rows = {2, 0, 2, 2, 3};
  check_operation([&](Tape& t) { return gather_rows(parameter(t, x), rows); });
}

TEST_F(OpsShape, ScatterRowsGradient) {
  const auto x = add_input(5, 3);
  const std::vector<int32_t> rows = {2, 0, 2, 2, 3};
  check_operation([&](Tape& t) { return scatter_rows(parameter(t, x), rows, 5); });
}

TEST_F(OpsShape, MeanOfBlocksGradient) {
  const auto x = add_input(3, 6);
  check_operation([&](Tape& t) { return mean_of_blocks(parameter(t, x), 3); });
}

TEST_F(OpsShape, ValuesByHand) {
  Tape tape(Seed::from_number(1));
  tape.start();
  Matrix x(2, 4);
  for (int64_t i = 0; i < 8; ++i) x.values()[i] = static_cast<Real>(i);
  const Var v = tape.input(x);
  EXPECT_EQ(slice_columns(v, 1, 2).value()(1, 0), 5);
  EXPECT_EQ(mean_of_blocks(v, 2).value()(1, 1), 6);
  const std::vector<int32_t> both = {0, 0};
  EXPECT_EQ(scatter_rows(v, both, 1).value()(0, 3), 10);
  EXPECT_EQ(gather_rows(v, std::vector<int32_t>{1}).value()(0, 2), 6);
  EXPECT_EQ(concat_columns(std::vector<Var>{v, v}).value()(1, 6), 6);
}

TEST_F(OpsShape, RefusesRowsAndColumnsOutOfRange) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(2, 4), y(3, 4);
  const Var v = tape.input(x);
  EXPECT_THROW(slice_columns(v, 2, 3), Error);
  EXPECT_THROW(gather_rows(v, std::vector<int32_t>{2}), Error);
  EXPECT_THROW(scatter_rows(v, std::vector<int32_t>{0, 1}, 1), Error);
  EXPECT_THROW(mean_of_blocks(v, 3), Error);
  EXPECT_THROW(concat_columns(std::vector<Var>{v, tape.input(y)}), Error);
}

}  // namespace
}  // namespace graphveil::nn::ops_shape_test
