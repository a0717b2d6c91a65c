#include "graphveil/nn/layers_batch_norm.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::nn::layers_batch_norm_test {
namespace {

TEST(BatchNormLayer, NormalizesColumnsAndRemembersThem) {
  Parameters parameters;
  BatchNorm norm(parameters, "n", 1);
  Matrix x(4, 1);
  for (int64_t r = 0; r < 4; ++r) x(r, 0) = static_cast<Real>(10 + r);
  Tape tape(Seed::from_number(1));
  tape.start();
  const ConstMatrixView y = norm(tape.input(x)).value();
  double mean = 0, squares = 0;
  for (int64_t r = 0; r < 4; ++r) {
    mean += y(r, 0) / 4;
    squares += y(r, 0) * y(r, 0) / 4;
  }
  EXPECT_NEAR(mean, 0, 1e-5);
  EXPECT_NEAR(squares, 1, 1e-4);

  // Running mean moved by a tenth of the way to 11.5, as PyTorch does.
  State state;
  norm.save(state, "p/");
  Matrix running(1, 1);
  read_matrix(state, "p/n.mean", running);
  EXPECT_NEAR(running(0, 0), 1.15, 1e-5);

  Parameters others;
  BatchNorm copy(others, "n", 1);
  copy.load(state, "p/");
  tape.start(Tape::Mode::Evaluate);
  const Real a = norm(tape.input(x)).value()(0, 0);
  tape.start(Tape::Mode::Evaluate);
  EXPECT_EQ(copy(tape.input(x)).value()(0, 0), a);
  EXPECT_THROW(copy.load(state, "q/"), Error);
}

TEST(BatchNormLayer, IsRefusedPerSample) {
  Parameters parameters;
  BatchNorm norm(parameters, "n", 1);
  Matrix x(4, 1);
  Tape tape(Seed::from_number(1));
  tape.start_per_sample(4);
  EXPECT_THROW(norm(tape.input(x)), Error);
}

}  // namespace
}  // namespace graphveil::nn::layers_batch_norm_test
