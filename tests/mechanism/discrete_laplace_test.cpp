#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::discrete_laplace_test {
namespace {

using bound::TestVoucher;

bound::Bounded<int64_t> count(int64_t value, double amount, bound::Norm norm = bound::Norm::L1) {
  return TestVoucher::bounded(value, {.amount = amount, .norm = norm});
}

TEST(DiscreteLaplaceMechanism, AddsNoiseOfTheStatedScale) {
  constexpr double kNoise = 2, kSensitivity = 3, kScale = 6;
  constexpr int64_t kDraws = 40000, kValue = 1000;
  const Plan plan{{account::Event("counts", account::DiscreteLaplace{kNoise}, {}, kDraws),
                   bound::TestVoucher::bound(kSensitivity, bound::Norm::L1)}};
  Release release = Release::open(bound::Relation::Node, plan, {1e9, 0}, Seed::from_number(4));
  double sum = 0, magnitude = 0, squares = 0;
  int64_t beyond = 0;
  for (int64_t i = 0; i < kDraws; ++i) {
    const Noisy<int64_t> noisy = release.discrete_laplace("counts", count(kValue, kSensitivity));
    ASSERT_DOUBLE_EQ(noisy.noise_scale(), kScale);
    const auto noise = static_cast<double>(noisy.value() - kValue);
    sum += noise;
    magnitude += std::abs(noise);
    squares += noise * noise;
    beyond += std::abs(noise) >= 19;
  }
  // P(k) = (1 - q) / (1 + q) q^|k|, q = e^(-1/scale).
  const double q = std::exp(-1 / kScale), draws = kDraws;
  const double variance = 2 * q / ((1 - q) * (1 - q)), mean_size = 2 * q / (1 - q * q);
  EXPECT_LT(std::abs(sum / draws), 4 * std::sqrt(variance / draws));
  EXPECT_NEAR(magnitude / draws, mean_size, 4 * std::sqrt(variance / draws));
  EXPECT_NEAR(squares / draws, variance, 4 * std::sqrt(24 * std::pow(kScale, 4) / draws));
  const double p = 2 * std::pow(q, 19) / (1 + q);
  EXPECT_NEAR(static_cast<double>(beyond) / draws, p, 4 * std::sqrt(p / draws));
}

TEST(DiscreteLaplaceMechanism, WantsAnL1BoundAndALaplaceLine) {
  const Plan plan{
      {account::Event("counts", account::DiscreteLaplace{2.0}), bound::TestVoucher::bound(1, bound::Norm::L1)}};
  Release release = Release::open(bound::Relation::Node, plan, {1, 0}, Seed::from_number(4));
  EXPECT_THROW(release.discrete_laplace("counts", count(1, 1, bound::Norm::L2)), Error);
  EXPECT_TRUE(release.spent().empty());
  const Plan other{{account::Event("counts", account::Gaussian{2.0}), bound::TestVoucher::bound(1, bound::Norm::L1)}};
  Release gaussian = Release::open(bound::Relation::Node, other, {10, 1e-5}, Seed::from_number(4));
  EXPECT_THROW(gaussian.discrete_laplace("counts", count(1, 1)), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::discrete_laplace_test
