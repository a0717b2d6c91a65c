#include "graphveil/account/pld_bounds.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::pld_bounds_test {
namespace {

double total(const LossDistribution& d) { return std::accumulate(d.mass.begin(), d.mass.end(), d.infinity); }

// Never below the integral, and close to it for a fine lattice.
void expect_curve(const LossPair& pair, const reference::Pair& truth, double tolerance) {
  for (double e : {0.0, 0.05, 0.3, 0.7, 1.5, 3.0}) {
    const double present = reference::delta(truth, e, false), blank = reference::delta(truth, e, true);
    EXPECT_GE(reference::delta(pair.present, e), present - 1e-9) << e;
    EXPECT_GE(reference::delta(pair.blank, e), blank - 1e-9) << e;
    EXPECT_LE(reference::delta(pair.present, e), present + tolerance) << e;
    EXPECT_LE(reference::delta(pair.blank, e), blank + tolerance) << e;
  }
  EXPECT_NEAR(total(pair.present), 1, 1e-12);
  EXPECT_NEAR(total(pair.blank), 1, 1e-12);
}

TEST(PldBounds, GaussianMatchesTheIntegral) {
  for (double s : {0.7, 2.0}) {
    expect_curve(discretize(Gaussian{s}, NoSampling{}, 0.01, 1e-15), reference::gaussian_poisson(s, 1), 3e-5);
    for (double rate : {0.02, 0.5}) {
      expect_curve(discretize(Gaussian{s}, Poisson{rate}, 0.005, 1e-15), reference::gaussian_poisson(s, rate), 3e-5);
    }
  }
}

TEST(PldBounds, LaplaceMatchesTheIntegral) {
  for (double b : {0.6, 3.0}) {
    expect_curve(discretize(Laplace{b}, NoSampling{}, 0.004, 1e-15), reference::laplace_poisson(b, 1), 2e-4);
    for (double rate : {0.02, 0.5}) {
      expect_curve(discretize(Laplace{b}, Poisson{rate}, 0.004, 1e-15), reference::laplace_poisson(b, rate), 2e-4);
    }
  }
}

TEST(PldBounds, ExponentialCoversEveryPairOfItsRange) {
  const double range = 1.4;
  const LossPair pair = discretize(Exponential{range}, NoSampling{}, 0.001, 1e-15);
  EXPECT_NEAR(total(pair.present), 1, 1e-12);
  for (double e : {0.0, 0.2, 0.9, 1.3}) {
    double worst = 0;
    for (double t = 0; t <= range; t += 1e-4) {
      // Two atoms at t and t - range with P-mass p and Q-mass p e^-t.
      const double p = -std::expm1(t - range) / -std::expm1(-range);
      worst = std::max(worst, p * std::max(0.0, -std::expm1(e - t)));
    }
    EXPECT_GE(reference::delta(pair.present, e), worst - 1e-9) << e;
    EXPECT_LE(reference::delta(pair.present, e), worst + 1e-5) << e;
    EXPECT_NEAR(reference::delta(pair.blank, e), reference::delta(pair.present, e), 1e-9);
  }
}

TEST(PldBounds, RandomizedResponseHasThreeAtoms) {
  const double rate = 0.3, odds = 1.2;
  const int classes = 5;
  const LossPair pair = discretize(RandomizedResponse{odds, classes}, Poisson{rate}, 0.001, 1e-15);
  const double a = std::exp(odds) / (std::exp(odds) + classes - 1), b = a * std::exp(-odds);
  const double p[] = {(1 - rate) * b + rate * a, (1 - rate) * a + rate * b, 3 * b}, q[] = {b, a, 3 * b};
  for (double e : {0.0, 0.1, 0.25}) {
    double present = 0, blank = 0;
    for (int i = 0; i < 3; ++i) {
      present += std::max(0.0, p[i] - std::exp(e) * q[i]);
      blank += std::max(0.0, q[i] - std::exp(e) * p[i]);
    }
    EXPECT_GE(reference::delta(pair.present, e), present - 1e-12);
    EXPECT_LE(reference::delta(pair.present, e), present + 1e-4);
    EXPECT_GE(reference::delta(pair.blank, e), blank - 1e-12);
    EXPECT_LE(reference::delta(pair.blank, e), blank + 1e-4);
  }
}

TEST(PldBounds, LargestLoss) {
  EXPECT_EQ(largest_loss(Gaussian{1}, NoSampling{}), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(largest_loss(Laplace{4}, NoSampling{}), 0.25);
  EXPECT_DOUBLE_EQ(largest_loss(RandomizedResponse{2, 3}, Poisson{0.1}), std::log(0.9 + 0.1 * std::exp(2)));
  EXPECT_NEAR(largest_loss(Exponential{1000}, Poisson{0.5}), 1000 + std::log(0.5), 1e-12);
}

TEST(PldBounds, RefusesPairsWithoutAProof) {
  for (const Mechanism& m : {Mechanism(Laplace{1}), Mechanism(Exponential{1}), Mechanism(RandomizedResponse{1, 2})}) {
    try {
      discretize(m, PoissonGroup{0.1, 2, 1}, 0.01, 1e-10);
      ADD_FAILURE() << kind(m);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    }
  }
}

TEST(PldBounds, TheOtherSideNeverWeighsMoreThanOne) {
  // A loss put too low would show as more than one in the mass under the other distribution, mass e^-loss.
  for (double rate : {1e-12, 1e-6, 1e-3, 0.3, 1.0}) {
    for (double step : {0.03, 1e-3, 1e-4}) {
      for (const Mechanism& m : {Mechanism(Gaussian{0.6}), Mechanism(Laplace{0.5}), Mechanism(Exponential{2}),
                                 Mechanism(RandomizedResponse{3, 4}), Mechanism(DiscreteGaussian{1.5})}) {
        const LossPair pair = discretize(m, Poisson{rate}, step, 1e-20);
        for (const LossDistribution* d : {&pair.present, &pair.blank}) {
          double other = 0;
          for (size_t i = 0; i < d->mass.size(); ++i) other += d->mass[i] * std::exp(-d->loss(i));
          EXPECT_LE(other, 1 + 1e-9) << kind(m) << " " << rate << " " << step;
        }
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::account::pld_bounds_test
