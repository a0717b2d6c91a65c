#include "graphveil/kernels/activation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"

namespace graphveil::kernels::activation_test {
namespace {

constexpr Activation kAll[] = {Activation::Relu,      Activation::Selu, Activation::Elu,
                               Activation::LeakyRelu, Activation::Tanh, Activation::Sigmoid};

// The textbook definitions, in double.
double plain(Activation kind, double x) {
  switch (kind) {
    case Activation::Relu: return x > 0 ? x : 0;
    case Activation::Selu: return x > 0 ? kSeluScale * x : kSeluScale * kSeluAlpha * std::expm1(x);
    case Activation::Elu: return x > 0 ? x : std::expm1(x);
    case Activation::LeakyRelu: return x > 0 ? x : static_cast<double>(kLeakySlope) * x;
    case Activation::Tanh: return std::tanh(x);
    case Activation::Sigmoid: return 1 / (1 + std::exp(-x));
  }
  return 0;
}

double plain_derivative(Activation kind, double x) {
  switch (kind) {
    case Activation::Relu: return x > 0 ? 1 : 0;
    case Activation::Selu: return x > 0 ? kSeluScale : kSeluScale * kSeluAlpha * std::exp(x);
    case Activation::Elu: return x > 0 ? 1 : std::exp(x);
    case Activation::LeakyRelu: return x > 0 ? 1 : static_cast<double>(kLeakySlope);
    case Activation::Tanh: return 1 / (std::cosh(x) * std::cosh(x));
    case Activation::Sigmoid: return 1 / ((1 + std::exp(-x)) * (1 + std::exp(x)));
  }
  return 0;
}

class ActivationLevels : public testing::TestWithParam<CpuLevel> {};

// Relative accuracy over the whole range, from denormal-small to saturated.
TEST_P(ActivationLevels, AreAccurateEverywhere) {
  const Restore restore;
  set_cpu_level(GetParam());
  std::vector<Real> points{0};
  for (double size = 1e-30; size < 80; size *= 1.0137) {
    points.push_back(static_cast<Real>(size));
    points.push_back(static_cast<Real>(-size));
  }
  const int64_t count = static_cast<int64_t>(points.size());
  const ConstMatrixView x(points.data(), 1, count);
  Matrix y(1, count);
  for (Activation kind : kAll) {
    activate(kind, x, y);
    for (int64_t i = 0; i < count; ++i) {
      const double want = plain(kind, points[i]);
      ASSERT_NEAR(y(0, i), want, 1e-6 * std::abs(want)) << "kind " << static_cast<int>(kind) << " at " << points[i];
    }
  }
}

TEST_P(ActivationLevels, SaturateWithoutNan) {
  const Restore restore;
  set_cpu_level(GetParam());
  const Real inf = std::numeric_limits<Real>::infinity();
  const std::vector<Real> points{-inf, -1e30f, -200, 200, 1e30f, inf};
  for (Activation kind : kAll) {
    Matrix y(1, 6);
    activate(kind, ConstMatrixView(points.data(), 1, 6), y);
    for (int64_t i = 0; i < 6; ++i) {
      const double want = plain(kind, points[i]);
      if (std::isinf(want)) {
        EXPECT_EQ(y(0, i), want);
      } else {
        EXPECT_NEAR(y(0, i), want, 1e-6 * std::max(1.0, std::abs(want))) << static_cast<int>(kind) << " " << points[i];
      }
    }
  }
}

TEST_P(ActivationLevels, AwkwardShapesAndInPlace) {
  const Restore restore;
  set_cpu_level(GetParam());
  for (int64_t cols = 0; cols <= 70; ++cols) {
    for (int64_t padding : {0, 3}) {
      Framed x(5, cols, padding, 1), y(5, cols, padding, 2), g(5, cols, padding, 3), dx(5, cols, padding);
      randomize(x, 1, 2.0);
      randomize(g, 2);
      for (Activation kind : kAll) {
        activate(kind, x, y);
        activate_backward(kind, y, g, dx);
        for (int64_t r = 0; r < 5; ++r) {
          for (int64_t c = 0; c < cols; ++c) {
            ASSERT_NEAR(y(r, c), plain(kind, x(r, c)), 2e-6);
            ASSERT_NEAR(dx(r, c), g(r, c) * plain_derivative(kind, x(r, c)), 2e-6);
          }
        }
        ASSERT_TRUE(y.frame_intact() && dx.frame_intact());
        activate_backward(kind, y, g, y);
        for (int64_t r = 0; r < 5; ++r) {
          for (int64_t c = 0; c < cols; ++c) ASSERT_EQ(y(r, c), dx(r, c));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ActivationLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

TEST(Activation, PreluWithOneSlopeAndWithOnePerColumn) {
  for (size_t width : {size_t{1}, size_t{5}}) {
    Framed x(301, 5, 2), y(301, 5), g(301, 5, 1), dx(301, 5, 3);
    randomize(x, 1);
    randomize(g, 2);
    std::vector<Real> slopes(width), dslopes(width, 10);
    for (size_t i = 0; i < width; ++i) slopes[i] = static_cast<Real>(0.1 * static_cast<double>(i + 1));
    prelu(x, slopes, y);
    prelu_backward(x, slopes, g, dx, dslopes);
    std::vector<double> want(width, 10);
    for (int64_t r = 0; r < 301; ++r) {
      for (int64_t c = 0; c < 5; ++c) {
        const size_t s = width == 1 ? 0 : static_cast<size_t>(c);
        const double slope = x(r, c) > 0 ? 1.0 : static_cast<double>(slopes[s]);
        EXPECT_NEAR(y(r, c), slope * x(r, c), 1e-6);
        EXPECT_NEAR(dx(r, c), slope * g(r, c), 1e-6);
        if (x(r, c) <= 0) want[s] += static_cast<double>(g(r, c)) * x(r, c);
      }
    }
    for (size_t i = 0; i < width; ++i) EXPECT_NEAR(dslopes[i], want[i], 1e-4);
  }
}

}  // namespace
}  // namespace graphveil::kernels::activation_test
