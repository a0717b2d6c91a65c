#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism {
namespace {

TEST(LaplaceMechanism, AddsNoiseOfTheStatedScale) {
  constexpr double kNoise = 2, kSensitivity = 3;
  Release release(bound::Relation::Node, {{"counts", account::Laplace{kNoise}}}, {1, 0}, Seed::from_number(4));
  const Noisy<Matrix> noisy =
      release.laplace("counts", {Matrix(400, 250), {.amount = kSensitivity, .norm = bound::Norm::L1}}, kNoise);
  EXPECT_DOUBLE_EQ(noisy.noise_scale(), 6);
  double magnitude = 0;
  int64_t beyond = 0;
  for (Real x : noisy.value().values()) {
    magnitude += std::abs(x);
    beyond += std::abs(x) > 18;  // three scales: probability e^-3
  }
  EXPECT_NEAR(magnitude / 100000, 6, 4 * 6 / std::sqrt(100000.0));
  EXPECT_NEAR(static_cast<double>(beyond) / 100000, std::exp(-3.0), 4 * std::sqrt(std::exp(-3.0) / 100000));
}

TEST(LaplaceMechanism, WantsAnL1Bound) {
  Release release(bound::Relation::Node, {{"counts", account::Laplace{2.0}}}, {1, 0}, Seed::from_number(4));
  EXPECT_THROW(release.laplace("counts", {Matrix(1, 1), {.amount = 1}}, 2.0), Error);
}

}  // namespace
}  // namespace graphveil::mechanism
