#include "graphveil/account/atoms_bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/account/exact_delta.h"

namespace graphveil::account::atoms_bounds_test {
namespace {

using exact::Real;
using Curve = std::function<Real(Real)>;

// Sampling of a pair whose two directions have the curve `whole` (Zhu, Dong, Wang 2022, Theorem 11), from the
// definition: (1 - rate) Q + rate P - e^e Q, and Q - e^e ((1 - rate) Q + rate P). Below e = 0 the curve continues as
// delta(-e) = 1 - e^-e (1 - delta(e)).
Real present_delta(const Curve& whole, Real rate, Real e) { return rate * whole(std::log1p(std::expm1(e) / rate)); }
Real blank_delta(const Curve& whole, Real rate, Real e) {
  const Real over = std::expm1(e) * (1 - rate) / rate;
  if (over >= 1) return 0;
  const Real z = e - std::log1p(-over);
  return rate * (1 - over) * (z >= 0 ? whole(z) : 1 - std::exp(z) * (1 - whole(-z)));
}

// Never below the curve, and close to it, at any rate, for base losses of about `scale`.
void expect_curve(const Mechanism& m, const Curve& whole, double scale) {
  for (double rate : {1e-12, 1e-4, 0.03, 0.6, 1.0}) {
    const AtomPair pair = base_atoms(m, rate < 1 ? Sampling(Poisson{rate}) : Sampling(NoSampling{}), 1e-25);
    const auto expect = [&](const AtomLoss& atoms, double e, Real truth) {
      const auto expected = static_cast<double>(truth);
      EXPECT_GE(atoms_delta(atoms, e, 0), expected * (1 - 1e-9) - 1e-15 * rate) << kind(m) << " " << rate << " " << e;
      EXPECT_LE(atoms_delta(atoms, e, 0), expected * (1 + 1e-4) + 1e-5 * rate * scale)
          << kind(m) << " " << rate << " " << e;
    };
    for (double z : {0.0, 0.1 * scale, 0.4 * scale, 0.9 * scale, 1.5 * scale, 2.5 * scale}) {
      // The losses that z and -z turn into.
      const double up = std::log1p(rate * std::expm1(z)), down = -std::log1p(rate * std::expm1(-z));
      expect(pair.present, up, present_delta(whole, rate, up));
      expect(pair.blank, down, blank_delta(whole, rate, down));
    }
  }
}

TEST(AtomsBounds, ContinuousMechanismsFollowTheirCurves) {
  for (double s : {0.5, 1.0, 3.0, 1e4, 1e6}) {
    expect_curve(
        Gaussian{s}, [s](Real e) { return exact::gaussian_delta(1 / Real(s), e); }, std::min(1.0, 1 / s));
  }
  for (double b : {0.4, 2.0, 1e4}) {
    expect_curve(
        Laplace{b}, [b](Real e) { return exact::laplace_delta(1 / Real(b), e); }, std::min(1.0, 1 / b));
  }
  for (double r : {1e-4, 0.7, 3.0}) {
    expect_curve(
        Exponential{r}, [r](Real e) { return exact::range_delta(r, e); }, std::min(1.0, r));
  }
}

TEST(AtomsBounds, TheOtherSideNeverWeighsMoreThanOne) {
  // A loss put too low would show as more than one in the mass under the other distribution, mass e^-loss.
  for (double rate : {1e-25, 1e-9, 1e-3, 0.3, 1.0}) {
    for (const Mechanism& m : {Mechanism(Gaussian{0.05}), Mechanism(Gaussian{1}), Mechanism(Gaussian{1e6}),
                               Mechanism(Laplace{0.01}), Mechanism(Laplace{1e5}), Mechanism(Exponential{2}),
                               Mechanism(RandomizedResponse{3, 4}), Mechanism(DiscreteGaussian{1.5})}) {
      const AtomPair pair = base_atoms(m, Poisson{rate}, 1e-20);
      for (const AtomLoss* d : {&pair.present, &pair.blank}) {
        double mass = d->infinity, other = 0;
        for (size_t i = 0; i < d->size(); ++i) {
          mass += d->mass[i];
          other += std::exp(std::log(d->mass[i]) - d->loss[i]);
        }
        EXPECT_TRUE(std::is_sorted(d->loss.begin(), d->loss.end()));
        EXPECT_NEAR(mass, 1, 1e-9) << kind(m) << " " << rate;
        EXPECT_LE(other, 1 + 1e-9) << kind(m) << " " << rate;
      }
    }
  }
}

TEST(AtomsBounds, DiscreteMechanisms) {
  // Two values; three when there are more classes.
  const double a = std::exp(1.2) / (std::exp(1.2) + 4), b = a * std::exp(-1.2);
  const AtomPair response = base_atoms(RandomizedResponse{1.2, 5}, Poisson{0.3}, 1e-20);
  ASSERT_EQ(response.present.size(), 3U);
  EXPECT_NEAR(response.present.loss[2], std::log((0.7 * b + 0.3 * a) / b), 1e-15);
  EXPECT_NEAR(response.present.mass[2], 0.7 * b + 0.3 * a, 1e-16);
  EXPECT_NEAR(response.blank.loss[2], std::log(a / (0.7 * a + 0.3 * b)), 1e-15);
  EXPECT_NEAR(response.blank.mass[2], a, 1e-16);
  EXPECT_EQ(response.present.infinity, 0);
  const AtomPair laplace = base_atoms(DiscreteLaplace{0.5}, NoSampling{}, 1e-20);
  EXPECT_EQ(laplace.present.loss, (std::vector<double>{-2, 2}));
  EXPECT_NEAR(laplace.present.mass[1], 1 / (1 + std::exp(-2)), 1e-15);
  // A discrete Gaussian is only known to be zCDP: above its own curve, for whatever shift.
  const AtomPair normal = base_atoms(DiscreteGaussian{1.5}, Poisson{0.2}, 1e-20);
  for (int shift : {1, 2, 4}) {
    const Real s = 1.5L * shift;
    const auto truth =
        exact::sampled(exact::discrete(shift, 80, [s](int z) { return -Real(z) * z / (2 * s * s); }), 0.2L);
    for (double e : {0.0, 0.1, 0.4, 1.0, 2.0}) {
      const double worst = std::max(atoms_delta(normal.present, e, 0), atoms_delta(normal.blank, e, 0));
      EXPECT_GE(worst, static_cast<double>(exact::delta(truth, e))) << shift << " " << e;
    }
  }
}

TEST(AtomsBounds, BeyondTheRangeOfDoublesAllIsLost) {
  for (const Mechanism& m : {Mechanism(Laplace{1.0 / 800}), Mechanism(Exponential{800}),
                             Mechanism(RandomizedResponse{800, 3}), Mechanism(DiscreteLaplace{1.0 / 800})}) {
    EXPECT_EQ(base_atoms(m, NoSampling{}, 1e-20).present.infinity, 1) << kind(m);
    EXPECT_EQ(base_atoms(m, NoSampling{}, 1e-20).blank.infinity, 1) << kind(m);
  }
  // Mean loss 1250: hardly any of it lies below kLargestAtom.
  EXPECT_GT(base_atoms(Gaussian{0.02}, NoSampling{}, 1e-20).present.infinity, 1 - 1e-9);
}

TEST(AtomsBounds, RefusesPairsWithoutAProof) {
  for (const Mechanism& m : {Mechanism(Laplace{1}), Mechanism(Exponential{1}), Mechanism(RandomizedResponse{1, 2}),
                             Mechanism(DiscreteLaplace{1}), Mechanism(DiscreteGaussian{1})}) {
    try {
      base_atoms(m, PoissonGroup{0.1, 2, 1}, 1e-10);
      ADD_FAILURE() << kind(m);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    }
  }
}

}  // namespace
}  // namespace graphveil::account::atoms_bounds_test
