// Derivatives checked against differences of values: the float build to 1e-3, the double build to 1e-6.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "graphveil/nn/ops_elementwise.h"
#include "graphveil/nn/ops_loss.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

#ifdef GRAPHVEIL_DOUBLE
inline constexpr double kGradientTolerance = 1e-6;
inline constexpr double kDifferenceStep = 1e-3;
#else
inline constexpr double kGradientTolerance = 1e-3;
inline constexpr double kDifferenceStep = 2e-2;
#endif

// Entries of size 0.2 to 1 with random signs: away from the kinks at zero of ReLU and its kin.
inline void fill_away_from_zero(MatrixView m, RandomStream& random) {
  for (int64_t r = 0; r < m.rows; ++r) {
    for (Real& v : m.row(r)) {
      const double size = 0.2 + 0.8 * random.uniform();
      v = static_cast<Real>(random.bernoulli(0.5) ? size : -size);
    }
  }
}

// Parameters to differentiate in, filled at random.
class GradientCheck : public ::testing::Test {
 protected:
  ParameterId add_input(int64_t rows, int64_t cols) {
    const ParameterId id = parameters_.add("p" + std::to_string(parameters_.count()), rows, cols);
    fill_away_from_zero(parameters_.value(id), random_);
    return id;
  }
  Matrix random_matrix(int64_t rows, int64_t cols) {
    Matrix m(rows, cols);
    fill_away_from_zero(m, random_);
    return m;
  }
  Var parameter(Tape& tape, ParameterId id) { return tape.parameter(parameters_, id); }

  // A random linear function of y, so that every entry of its gradient differs.
  Var project(Var y) {
    while (weights_.size() < static_cast<size_t>(y.value().size())) {
      weights_.push_back(static_cast<Real>(2 * random_.uniform() - 1));
    }
    return sum(multiply(y, y.tape->constant({weights_.data(), y.rows(), y.cols()})));
  }

  // Compares the gradients of loss(tape) in all parameters with five-point differences. The loss must be the same
  // function every time it is called: dropout draws are set back.
  void check(const std::function<Var(Tape&)>& loss) {
    Tape tape(Seed::from_number(5));
    const auto value = [&] {
      tape.set_draws(0);
      tape.start();
      return static_cast<double>(loss(tape).value()(0, 0));
    };
    value();
    tape.set_draws(0);
    tape.start();
    parameters_.zero_gradients();
    tape.backward(loss(tape));
    double difference = 0, size = 0;
    for (int64_t i = 0; i < parameters_.size(); ++i) {
      Real& p = parameters_.values().values()[static_cast<size_t>(i)];
      const Real original = p;
      const auto at = [&](double steps) {
        p = static_cast<Real>(original + steps * kDifferenceStep);
        return value();
      };
      // f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h + O(h^4)
      const double numeric = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * kDifferenceStep);
      p = original;
      const double analytic = parameters_.gradients().values()[static_cast<size_t>(i)];
      difference += (numeric - analytic) * (numeric - analytic);
      size += numeric * numeric;
    }
    EXPECT_GT(size, 0) << "the loss does not depend on the parameters";
    EXPECT_LT(std::sqrt(difference), kGradientTolerance * std::sqrt(size));
  }

  // Checks y = op(parameters...) through a random projection.
  void check_operation(const std::function<Var(Tape&)>& operation) {
    check([&](Tape& tape) { return project(operation(tape)); });
  }

  RandomStream random_{Seed::from_number(11), "gradient check"};
  Parameters parameters_;
  std::vector<Real> weights_;
};

}  // namespace graphveil::nn
