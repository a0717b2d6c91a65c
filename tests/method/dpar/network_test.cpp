#include "graphveil/method/dpar/network.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::network_test {
namespace {

// scores(v) is the weighted sum of what the MLP says of its neighborhood.
TEST(DparNetwork, AddsUpTheNeighborhood) {
  const bound::Neighborhoods lists({2, 5}, {{{2, 0.5F}, {7, 0.25F}}, {{9, 2.0F}}}, tiny_data().nodes(), 5);
  DparNetwork network(tiny_data(), lists, {.layers = 2, .hidden_dim = 8}, Seed::from_number(1), true);
  MlpNetwork plain(tiny_data(), {.layers = 2, .hidden_dim = 8}, false, Seed::from_number(1));
  const std::vector<int32_t> asked{5, 2}, all{2, 7, 9};
  nn::Tape tape(Seed::from_number(0)), other(Seed::from_number(0));
  tape.start(nn::Tape::Mode::Evaluate);
  other.start(nn::Tape::Mode::Evaluate);
  const ConstMatrixView found = network.scores(tape, asked).value(), f = plain.scores(other, all).value();
  for (int64_t k = 0; k < found.cols; ++k) {
    EXPECT_NEAR(found(0, k), 2 * f(2, k), 1e-5);
    EXPECT_NEAR(found(1, k), 0.5 * f(0, k) + 0.25 * f(1, k), 1e-5);
  }
}

// In a per-sample step a node that two samples read has a row in each: the scores are the same.
TEST(DparNetwork, SamplesDoNotShareRows) {
  const bound::Neighborhoods lists({2, 5}, {{{2, 1}, {7, 0.5F}}, {{5, 1}, {7, 0.25F}}}, tiny_data().nodes(), 5);
  DparNetwork network(tiny_data(), lists, {.layers = 1}, Seed::from_number(1), true);
  const std::vector<int32_t> asked{2, 5};
  nn::Tape plain(Seed::from_number(0)), each(Seed::from_number(0));
  plain.start(nn::Tape::Mode::Evaluate);
  each.start_per_sample(2);
  const ConstMatrixView a = network.scores(plain, asked).value();
  std::vector<Real> before(a.data, a.data + a.rows * a.cols);
  const nn::Var scores = network.scores(each, asked);
  EXPECT_EQ(each.owners(scores)[1], 1);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(scores.value().data[i], before[i], 1e-5);
}

}  // namespace
}  // namespace graphveil::method::network_test
