#include "graphveil/nn/state.h"

#include <gtest/gtest.h>

#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/optimizer.h"
#include "tests/nn/test_layers.h"

namespace graphveil::nn::state_test {
namespace {

TEST(State, MatricesNumbersAndBytesComeBack) {
  Matrix m(2, 3);
  for (int64_t i = 0; i < 6; ++i) m.values()[i] = static_cast<Real>(i) / 3;
  State state;
  state["m"] = to_tensor(m.view().columns(1, 2));  // a view with a stride
  state["n"] = to_tensor(int64_t{-5});
  state["b"] = to_tensor(std::span<const uint8_t>(std::vector<uint8_t>{1, 2, 255}));
  Matrix back(2, 2);
  read_matrix(state, "m", back);
  EXPECT_EQ(back(1, 1), m(1, 2));
  EXPECT_EQ(read_number(state, "n"), -5);
  EXPECT_EQ(read_bytes(state, "b"), (std::vector<uint8_t>{1, 2, 255}));
}

TEST(State, RefusesWhatDoesNotFit) {
  State state;
  state["m"] = to_tensor(Matrix(2, 3));
  Matrix wrong(3, 2);
  EXPECT_THROW(read_matrix(state, "m", wrong), Error);
  EXPECT_THROW(read_matrix(state, "absent", wrong), Error);
  EXPECT_THROW(read_number(state, "m"), Error);
  EXPECT_THROW(read_bytes(state, "m"), Error);
}

TEST(State, ARunGoesOnAsIfItHadNotStopped) {
  const auto run = [](int64_t stop) {
    RandomStream random(Seed::from_number(1), "init");
    Matrix x(8, 4);
    for (Real& v : x.values()) v = static_cast<Real>(random.gaussian());
    const std::vector<int32_t> labels = {0, 1, 2, 0, 1, 2, 0, 1};
    State saved;
    Parameters first, second;
    std::vector<Real> result;
    for (Parameters* parameters : {&first, &second}) {
      RandomStream init(Seed::from_number(parameters == &first ? 2 : 3), "init");
      const Mlp mlp(*parameters, "mlp", {.widths = {4, 8, 3}, .dropout = 0.5}, init);
      Tape tape(Seed::from_number(9));
      Adam adam;
      const bool resumed = parameters == &second;
      int64_t step = resumed ? load_run(saved, *parameters, adam, tape) : 0;
      EXPECT_EQ(step, resumed ? stop : 0);
      for (; step < (resumed ? 10 : stop); ++step) {
        tape.start();
        parameters->zero_gradients();
        tape.backward(cross_entropy(mlp(tape.input(x)), labels));
        adam.step(*parameters, 0.05);
      }
      if (!resumed) save_run(*parameters, adam, tape, step, saved);
      result.assign(parameters->values().values().begin(), parameters->values().values().end());
    }
    return result;
  };
  const auto whole = run(10);
  EXPECT_EQ(run(0).size(), whole.size());
  EXPECT_EQ(run(4), whole);
  EXPECT_EQ(run(9), whole);
}

}  // namespace
}  // namespace graphveil::nn::state_test
