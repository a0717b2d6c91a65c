#include "graphveil/learn/dense_stack.h"

#include <gtest/gtest.h>

namespace graphveil::learn::dense_stack_test {
namespace {

TEST(StackWidths, CountsLayers) {
  EXPECT_EQ(stack_widths(5, 0, 16, 3), (std::vector<int64_t>{5}));
  EXPECT_EQ(stack_widths(5, 1, 16, 3), (std::vector<int64_t>{5, 3}));
  EXPECT_EQ(stack_widths(5, 3, 16, 3), (std::vector<int64_t>{5, 16, 16, 3}));
}

TEST(DenseStack, OneLayerIsALinearMap) {
  nn::Parameters parameters;
  RandomStream random(Seed::from_number(1), "test");
  DenseStack stack(parameters, "s", {{2, 1}, Activation::Relu, 0, false}, random);
  ASSERT_EQ(parameters.count(), 2);  // weight and bias
  Matrix x(1, 2);
  x(0, 0) = 1;
  x(0, 1) = 2;
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  const Real out = stack(tape.input(x)).value()(0, 0);
  EXPECT_NEAR(out, parameters.value(0)(0, 0) + 2 * parameters.value(0)(1, 0) + parameters.value(1)(0, 0), 1e-6);
}

TEST(DenseStack, OneWidthIsTheIdentity) {
  nn::Parameters parameters;
  RandomStream random(Seed::from_number(1), "test");
  DenseStack stack(parameters, "s", {{2}, Activation::Relu, 0, true}, random);
  Matrix x(1, 2);
  x(0, 1) = 7;
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  EXPECT_EQ(stack(tape.input(x)).value()(0, 1), 7);
}

TEST(DenseStack, BatchNormStatisticsAreSavedAndLoaded) {
  nn::Parameters parameters, other;
  RandomStream random(Seed::from_number(1), "test");
  const StackOptions options{{2, 3, 1}, Activation::Selu, 0, true};
  DenseStack stack(parameters, "s", options, random), copy(other, "s", options, random);
  Matrix x(4, 2);
  for (int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<Real>(i * i);
  nn::Tape tape(Seed::from_number(1));
  tape.start();
  stack(tape.input(x));  // moves the running statistics
  nn::State state;
  stack.save(state, "p/");
  EXPECT_EQ(state.count("p/s.norm1.mean"), 1u);
  copy.load(state, "p/");
  nn::State again;
  copy.save(again, "p/");
  EXPECT_EQ(state.at("p/s.norm1.variance").bytes, again.at("p/s.norm1.variance").bytes);
}

}  // namespace
}  // namespace graphveil::learn::dense_stack_test
