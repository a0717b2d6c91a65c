#include "graphveil/method/lap/network.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::network_test {
namespace {

Matrix sums(int64_t blocks) {
  Matrix out(tiny_data().nodes(), blocks * tiny_data().classes);
  for (int64_t v = 0; v < out.rows(); ++v) out(v, v % out.cols()) = 1;
  return out;
}

// Before training the features say nothing, and a block's column speaks for its class with the weight of the prior.
TEST(LapNetwork, StartsAtThePrior) {
  for (const int64_t blocks : {1, 2}) {
    const Matrix inputs = sums(blocks);
    LapNetwork network(tiny_data(), inputs, {.prior = 2}, Seed::from_number(1));
    const int64_t classes = tiny_data().classes;
    const double rest = static_cast<double>(classes - 1);
    const Matrix p = class_probabilities(network, tiny_data().nodes());
    for (int64_t v = 0; v < p.rows(); ++v) {
      EXPECT_NEAR(p(v, v % inputs.cols() % classes), std::exp(2) / (std::exp(2) + rest), 1e-5);
    }
  }
}

TEST(LapNetwork, ADeepOneStartsAtRandom) {
  const Matrix inputs = sums(1);
  LapNetwork network(tiny_data(), inputs, {.layers = 2, .hidden_dim = 8}, Seed::from_number(1)),
      other(tiny_data(), inputs, {.layers = 2, .hidden_dim = 8}, Seed::from_number(2));
  EXPECT_FALSE(std::ranges::equal(class_probabilities(network, tiny_data().nodes()).values(),
                                  class_probabilities(other, tiny_data().nodes()).values()));
}

}  // namespace
}  // namespace graphveil::method::network_test
