#include "graphveil/account/drawn.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"

namespace graphveil::account::drawn_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Noise that is pure owes nothing, at any delta; the rest owes for every event, whatever it is nested in.
TEST(Drawn, EveryEventThatIsNotPureOwes) {
  const double one = sampler_epsilon({Event("g", Gaussian{1})});
  EXPECT_GE(one, 3 * 0x1p-49);
  EXPECT_LE(one, 3.001 * 0x1p-49);
  for (const Mechanism& pure :
       {Mechanism(DiscreteLaplace{1}), Mechanism(RandomizedResponse{1, 4}), Mechanism(Exponential{1})}) {
    const Ledger ledger{Event("p", pure, NoSampling{}, 1000)};
    EXPECT_EQ(sampler_epsilon(ledger), 0);
    EXPECT_EQ(drawn_epsilon(ledger, 1e-6), spent_epsilon(ledger, 1e-6));
  }
  for (const Mechanism& owing : {Mechanism(Gaussian{2}), Mechanism(Laplace{2}), Mechanism(DiscreteGaussian{2})}) {
    EXPECT_EQ(sampler_epsilon({Event("o", owing)}), one);
    EXPECT_NEAR(sampler_epsilon({Event("o", owing, Poisson{0.1}, 1000), Event("p", owing)}), 1001 * one, 1e-6 * one);
  }
  const auto inner = std::make_shared<const Event>(
      "inner", Composed{{Event("a", Gaussian{1}, NoSampling{}, 3), Event("b", DiscreteLaplace{1})}});
  EXPECT_NEAR(sampler_epsilon({Event("s", Sampled{0.1, inner}, 5)}), 15 * one, 1e-6 * one);
  // The best of K: f' moves by (1 + shape) / stop, or by the rate.
  EXPECT_NEAR(sampler_epsilon({Event("t", Tuned{NegativeBinomial{1, 0.1}, inner})}), 3 * 21 * one, 1e-6 * one);
  EXPECT_NEAR(sampler_epsilon({Event("t", Tuned{PositivePoisson{9}, inner})}), 30 * one, 1e-6 * one);
}

TEST(Drawn, IsAboveTheIdealPriceByThat) {
  for (const int64_t count : {1, 100, 100'000}) {
    const Ledger ledger{Event("g", Gaussian{2}, NoSampling{}, count)};
    const double ideal = spent_epsilon(ledger, 1e-6), drawn = drawn_epsilon(ledger, 1e-6);
    EXPECT_GE(drawn, ideal + sampler_epsilon(ledger));
    EXPECT_LE(drawn, ideal * (1 + 1e-8));
  }
  EXPECT_EQ(drawn_epsilon({Event("g", Gaussian{2})}, 0), kInfinity);
  EXPECT_EQ(drawn_epsilon({Event("l", Laplace{2})}, 0), spent_epsilon({Event("l", Laplace{2})}, 0));
  EXPECT_EQ(drawn_epsilon({}, 0.1), 0);
}

// Prices are remembered: whatever was asked in between, an answer is that of the ledger and the delta asked for.
TEST(Drawn, IsTheSameEachTimeItIsAsked) {
  const auto ledger = [](int64_t count) { return Ledger{Event("g", Gaussian{2}, Poisson{0.1}, count)}; };
  const double first = drawn_epsilon(ledger(10), 1e-6), other = drawn_epsilon(ledger(10), 1e-5);
  for (int64_t count = 1; count <= 40; ++count) {
    const double owed = sampler_epsilon(ledger(count));
    EXPECT_NEAR(drawn_epsilon(ledger(count), 1e-6), spent_epsilon(ledger(count), 1e-6 * (1 - owed)) + owed, 1e-12);
  }
  EXPECT_EQ(drawn_epsilon(ledger(10), 1e-6), first);
  EXPECT_EQ(drawn_epsilon(ledger(10), 1e-5), other);
  EXPECT_LT(other, first);
}

// The argument, on a pair for which it can be added up: discrete Gaussian weights over whole numbers, each off by a
// factor as unlucky as may be.
TEST(Drawn, TheArgumentHoldsForTheUnluckiestFactors) {
  constexpr double kOff = 0.01, kVariance = 4;
  const auto ideal = [&](int64_t x, int64_t mean) {
    return std::exp(-0.5 * static_cast<double>((x - mean) * (x - mean)) / kVariance) / std::sqrt(2 * M_PI * kVariance);
  };
  for (const double epsilon : {0.0, 0.3, 1.0, 3.0}) {
    double before = 0, after = 0;
    for (int64_t x = -60; x <= 60; ++x) {
      const double p = ideal(x, 1), q = ideal(x, 0);
      before += std::max(0.0, p - std::exp(epsilon) * q);
      after += std::max(0.0, (1 + kOff) * p - std::exp(epsilon + 3 * kOff) * (1 - kOff) * q);
    }
    EXPECT_LE(after, (1 + kOff) * before);
    EXPECT_LE(after * (1 - 2 * kOff), before);
  }
}

}  // namespace
}  // namespace graphveil::account::drawn_test
