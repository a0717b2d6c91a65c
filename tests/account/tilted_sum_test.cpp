#include "graphveil/account/tilted_sum.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/pld_bounds.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::tilted_sum_test {
namespace {

LossDistribution repeated(const LossDistribution& loss, int count) {
  LossDistribution sum = loss;
  for (int i = 1; i < count; ++i) sum = reference::convolve(sum, loss);
  return sum;
}

TEST(TiltedSum, MatchesPlainConvolutionDownToTinyDeltas) {
  const LossPair a = discretize(Gaussian{1.5}, Poisson{0.2}, 0.02, 1e-25);
  const LossPair b = discretize(Laplace{2}, NoSampling{}, 0.02, 1e-25);
  for (const bool reversed : {false, true}) {
    const LossDistribution& one = reversed ? a.blank : a.present;
    const LossDistribution& two = reversed ? b.blank : b.present;
    const LossDistribution plain = reference::convolve(repeated(one, 6), repeated(two, 2));
    const LossSum sum({{&one, 6.0}, {&two, 2.0}});
    for (double delta : {0.2, 1e-2, 1e-5, 1e-9, 1e-13, 1e-18}) {
      const double e = TiltedSum(sum, sum.tilt_for_delta(delta)).epsilon(delta).epsilon;
      // At e the plain curve is at most delta, and a hair below e it is more.
      EXPECT_LE(reference::delta(plain, e), delta * (1 + 1e-9)) << delta;
      EXPECT_GE(reference::delta(plain, e - 1e-6), delta * (1 - 1e-9)) << delta;
      const double back = TiltedSum(sum, sum.tilt_for_epsilon(e)).delta(e);
      EXPECT_GE(back, reference::delta(plain, e) * (1 - 1e-9));
      EXPECT_LE(back, delta * (1 + 1e-6));
    }
  }
}

TEST(TiltedSum, CumulantsAreThoseOfTheSum) {
  const LossPair a = discretize(Gaussian{2}, NoSampling{}, 0.01, 1e-20);
  const LossSum sum({{&a.present, 9.0}});
  // The loss of a Gaussian is N(m^2/2, m^2), m = 1/2, so K(t) = n m^2 (t + t^2) / 2; the lattice adds n (t^2 + t) h^2
  // / 12.
  for (double t : {0.0, 0.5, 2.0}) {
    const Cumulants k = sum.cumulants(t);
    EXPECT_NEAR(k.value, 9 * 0.25 * (t + t * t) / 2 + 9 * (t * t + t) * 1e-4 / 12, 1e-6) << t;
    EXPECT_NEAR(k.mean, 9 * 0.25 * (0.5 + t) + 9 * (2 * t + 1) * 1e-4 / 12, 1e-6) << t;
    EXPECT_NEAR(k.variance, 9 * 0.25 + 9 * 2 * 1e-4 / 12, 1e-6) << t;
  }
}

TEST(TiltedSum, BadTiltCostsAccuracyNotSoundness) {
  const LossPair a = discretize(Gaussian{1}, Poisson{0.3}, 0.02, 1e-20);
  const LossDistribution plain = repeated(a.present, 8);
  const LossSum sum({{&a.present, 8.0}});
  const double best = sum.tilt_for_delta(1e-6);
  for (double factor : {0.01, 0.3, 1.0, 3.0, 10.0}) {
    const double e = TiltedSum(sum, best * factor).epsilon(1e-6).epsilon;
    EXPECT_LE(reference::delta(plain, e), 1e-6 * (1 + 1e-9)) << factor;
  }
}

TEST(TiltedSum, InfiniteMassCountsInFull) {
  LossPairBuilder builder(0.1, -1, 1);
  builder.add_atom(0.5, 0.5 * std::exp(-0.3));
  builder.add_atom(0.499, 0.499);
  builder.add_present_infinity(0.001);
  const LossPair pair = std::move(builder).build();
  const LossSum sum({{&pair.present, 10.0}});
  EXPECT_NEAR(sum.infinity(), 1 - std::pow(0.999, 10), 1e-15);
  EXPECT_EQ(TiltedSum(sum, 1).epsilon(0.009).epsilon, std::numeric_limits<double>::infinity());
  EXPECT_LT(TiltedSum(sum, 1).epsilon(0.011).epsilon, 3.01);
}

}  // namespace
}  // namespace graphveil::account::tilted_sum_test
