#include "graphveil/nn/optimizer.h"

#include <cmath>

#include <gtest/gtest.h>

namespace graphveil::nn::optimizer_test {
namespace {

// Values after each step from w = 1 with gradients 1, -0.5, 0.25, as PyTorch 2 gives them.
std::vector<double> trajectory(Optimizer& optimizer) {
  Parameters p;
  p.add("w", 1, 1);
  p.values()(0, 0) = 1;
  std::vector<double> values;
  for (const double g : {1.0, -0.5, 0.25}) {
    p.gradients()(0, 0) = static_cast<Real>(g);
    optimizer.step(p, 0.1);
    values.push_back(p.values()(0, 0));
  }
  return values;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(got[i], expected[i], 2e-6) << i;
}

TEST(Optimizer, Sgd) {
  Sgd plain, decayed({.weight_decay = 0.1});
  expect_near(trajectory(plain), {0.9, 0.95, 0.925});
  // w -= 0.1 (g + 0.1 w)
  expect_near(trajectory(decayed), {0.89, 0.9311, 0.896789});
}

TEST(Optimizer, SgdWithMomentum) {
  Sgd momentum({.momentum = 0.9}), nesterov({.momentum = 0.9, .nesterov = true});
  // m = 1, 0.4, 0.61
  expect_near(trajectory(momentum), {0.9, 0.86, 0.799});
  // step = g + 0.9 m = 1.9, -0.14, 0.799
  expect_near(trajectory(nesterov), {0.81, 0.824, 0.7441});
}

TEST(Optimizer, Adam) {
  Adam adam;
  // m = 0.1, 0.04, 0.061; v = 0.001, 0.001249, 0.001310251
  const double second = 0.9 - 0.1 * (0.04 / 0.19) / std::sqrt(0.001249 / 0.001999);
  const double third = second - 0.1 * (0.061 / 0.271) / std::sqrt(0.001310251 / (1 - 0.997002999));
  expect_near(trajectory(adam), {0.9, second, third});
}

TEST(Optimizer, AdamWithDecay) {
  Adam coupled({.weight_decay = 0.5}), decoupled({.weight_decay = 0.5, .decoupled = true});
  EXPECT_NEAR(trajectory(coupled)[0], 0.9, 1e-6) << "the first step has size 0.1 whatever the gradient";
  Adam again({.weight_decay = 0.5, .decoupled = true});
  EXPECT_NEAR(trajectory(decoupled)[0], 0.95 - 0.1, 1e-6);
  (void)again;
}

TEST(Optimizer, ScaleMultipliesTheGradient) {
  Parameters p;
  p.add("w", 1, 1);
  Matrix g(1, 1);
  g(0, 0) = 8;
  Sgd sgd;
  sgd.step(p, g, 0.5, 0.25);
  EXPECT_EQ(p.values()(0, 0), -1);
}

TEST(Optimizer, StateResumesExactly) {
  const auto run = [](Optimizer& first, Optimizer& second) {
    Parameters p;
    p.add("w", 1, 2);
    for (int step = 0; step < 6; ++step) {
      Optimizer& current = step < 3 ? first : second;
      if (step == 3 && &first != &second) {
        State state;
        first.save(state);
        second.load(state);
      }
      p.gradients()(0, 0) = static_cast<Real>(std::sin(step));
      p.gradients()(0, 1) = static_cast<Real>(std::cos(step));
      current.step(p, 0.1);
    }
    return std::vector<Real>(p.values().values().begin(), p.values().values().end());
  };
  Adam a, b, c;
  EXPECT_EQ(run(a, a), run(b, c));
  Sgd d({.momentum = 0.9}), e({.momentum = 0.9}), f({.momentum = 0.9});
  EXPECT_EQ(run(d, d), run(e, f));
}

TEST(Optimizer, RefusesNonsense) {
  EXPECT_THROW(Sgd({.momentum = 1}), Error);
  EXPECT_THROW(Adam({.beta1 = 1}), Error);
  Parameters p;
  p.add("w", 1, 2);
  Sgd sgd;
  EXPECT_THROW(sgd.step(p, Matrix(1, 3), 0.1), Error);
  EXPECT_THROW(sgd.step(p, -1), Error);
  EXPECT_THROW(sgd.load({}), Error);
}

}  // namespace
}  // namespace graphveil::nn::optimizer_test
