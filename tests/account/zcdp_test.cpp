#include "graphveil/account/zcdp.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/account/exact_delta.h"

namespace graphveil::account::zcdp_test {
namespace {

using exact::Real;

// The bound of every order on a fine grid: delta <= e^((a-1)(a rho - e)) (1 - 1/a)^a / (a - 1); and total variation.
double best_of_many_orders(double rho, double epsilon) {
  double best = 0.5 * std::log(-std::expm1(-rho));
  for (double x = 1e-4; x < 1e5; x *= 1.002) {
    const double a = 1 + x;
    best = std::min(best, x * (a * rho - epsilon) + a * std::log1p(-1 / a) - std::log(x));
  }
  return best;
}

TEST(Zcdp, IsTheBestOrder) {
  for (double rho : {1e-6, 1e-3, 0.1, 2.0, 50.0}) {
    for (double epsilon : {0.0, 1e-3, 0.1, 1.0, 5.0, 80.0}) {
      if (epsilon > 3000 * rho) continue;  // beyond the orders of the grid
      const double expected = best_of_many_orders(rho, epsilon);
      EXPECT_LE(zcdp_log_delta(rho, epsilon), expected + 1e-9 * (1 + std::fabs(expected))) << rho << " " << epsilon;
      EXPECT_GE(zcdp_log_delta(rho, epsilon), expected - 1e-4 * (1 + std::fabs(expected))) << rho << " " << epsilon;
    }
  }
}

TEST(Zcdp, CoversGaussianNoise) {
  // A shift of mu is mu^2/2-zCDP, in the continuous and in the discrete case.
  for (double mu : {0.05, 0.5, 1.0, 3.0}) {
    for (double epsilon : {0.0, 0.1, 1.0, 4.0}) {
      EXPECT_GE(std::exp(zcdp_log_delta(0.5 * mu * mu, epsilon)),
                static_cast<double>(exact::gaussian_delta(mu, epsilon)))
          << mu << " " << epsilon;
    }
  }
  for (int shift : {1, 3}) {
    const auto outcomes = exact::discrete(shift, 60, [](int z) { return -Real(z) * z / 8; });
    for (double epsilon : {0.0, 0.2, 0.7, 2.0}) {
      EXPECT_GE(std::exp(zcdp_log_delta(shift * shift / 8.0, epsilon)),
                static_cast<double>(exact::delta(outcomes, epsilon)))
          << shift << " " << epsilon;
    }
  }
}

TEST(Zcdp, EpsilonIsTheInverse) {
  for (double rho : {1e-8, 1e-3, 0.5, 20.0}) {
    double before = std::numeric_limits<double>::infinity();
    for (double delta : {1e-200, 1e-12, 1e-6, 1e-2, 0.3}) {
      const double epsilon = zcdp_epsilon(rho, delta);
      EXPECT_LE(epsilon, before);
      before = epsilon;
      // Not above the older conversion of Bun and Steinke 2016.
      EXPECT_LE(epsilon, rho + 2 * std::sqrt(-rho * std::log(delta)));
      EXPECT_LE(zcdp_log_delta(rho, epsilon), std::log(delta));
      if (epsilon == 0) continue;
      EXPECT_GT(zcdp_log_delta(rho, epsilon * (1 - 1e-6)), std::log(delta)) << rho << " " << delta;
    }
  }
  EXPECT_EQ(zcdp_epsilon(1e-8, 0.1), 0);
}

TEST(Zcdp, AtomsAreTheConvexHullOfTheBound) {
  for (double rho : {1e-6, 0.02, 0.5, 40.0, 250.0}) {
    const AtomPair pair = zcdp_atoms(rho, 1e-20);
    const double mu = std::sqrt(2 * rho);
    for (double share : {0.0, 0.1, 0.5, 1.0, 2.0, 4.0}) {
      const double epsilon = share * (rho + mu);
      const double atoms = atoms_delta(pair.present, epsilon, 0);
      EXPECT_GE(atoms, static_cast<double>(exact::gaussian_delta(mu, epsilon)) * (1 - 1e-9)) << rho << " " << share;
      EXPECT_LE(atoms, std::exp(zcdp_log_delta(rho, epsilon)) * (1 + 1e-3) + 1e-20) << rho << " " << share;
    }
    for (double delta : {1e-12, 1e-6}) {  // where the bound is convex already
      EXPECT_NEAR(atoms_epsilon(pair.present, delta, 0) / zcdp_epsilon(rho, delta), 1, 1e-3) << rho << " " << delta;
    }
    double other = 0;
    for (size_t i = 0; i < pair.present.size(); ++i) other += pair.present.mass[i] * std::exp(-pair.present.loss[i]);
    EXPECT_LE(other, 1 + 1e-9);
    EXPECT_NEAR(std::accumulate(pair.present.mass.begin(), pair.present.mass.end(), pair.present.infinity), 1, 1e-9);
    // What is cut off counts as lost.
    EXPECT_NEAR(zcdp_atoms(rho, 1e-5).present.infinity, 1e-5, 1e-10);
    EXPECT_EQ(pair.present.loss, pair.blank.loss);
    EXPECT_EQ(pair.present.mass, pair.blank.mass);
  }
}

TEST(ZcdpAtoms, NoiseBeyondAllTailsLeavesNothingButTheTail) {
  const AtomPair pair = zcdp_atoms(1e-6, 1e-3);
  ASSERT_EQ(pair.present.size(), 1u);
  EXPECT_EQ(pair.present.loss[0], 0);
  EXPECT_GT(pair.present.infinity, 0);
  EXPECT_NEAR(pair.present.infinity + pair.present.mass[0], 1, 1e-12);
}

}  // namespace
}  // namespace graphveil::account::zcdp_test
