#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {
namespace {

TEST(GaussianMechanism, AddsNoiseOfTheStatedSize) {
  constexpr double kNoise = 3, kSensitivity = 0.5;
  Release release(bound::Relation::Edge, {{"sum", account::Gaussian{kNoise}}}, {10, 1e-5}, Seed::from_number(4));
  Matrix value(400, 250);
  for (Real& x : value.values()) x = 7;
  const Noisy<Matrix> noisy =
      release.gaussian("sum", {std::move(value), {.amount = kSensitivity, .relation = bound::Relation::Edge}}, kNoise);
  EXPECT_DOUBLE_EQ(noisy.noise_scale(), kNoise * kSensitivity);
  double sum = 0, squares = 0;
  for (Real x : noisy.value().values()) {
    sum += x - 7.0;
    squares += (x - 7.0) * (x - 7.0);
  }
  const double count = 100000, variance = 1.5 * 1.5;
  EXPECT_LT(std::abs(sum / count), 4 * std::sqrt(variance / count));
  EXPECT_LT(std::abs(squares / count - variance), 4 * variance * std::sqrt(2 / count));
}

TEST(GaussianMechanism, EveryCallDrawsFreshNoiseAndASeedRepeatsIt) {
  const auto draw = [](uint64_t seed) {
    Release release(bound::Relation::Node, {{"sum", account::Gaussian{5.0}, {}, 2}}, {10, 1e-5},
                    Seed::from_number(seed));
    const auto once = release.gaussian("sum", {Matrix(1, 8), {.amount = 1}}, 5.0);
    const auto twice = release.gaussian("sum", {Matrix(1, 8), {.amount = 1}}, 5.0);
    EXPECT_NE(once.value()(0, 0), twice.value()(0, 0));
    return once.value()(0, 3);
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

}  // namespace
}  // namespace graphveil::mechanism
