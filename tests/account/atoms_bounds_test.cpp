#include "graphveil/account/atoms_bounds.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "graphveil/account/zcdp.h"
#include "graphveil/base/error.h"
#include "tests/account/exact_delta.h"

namespace graphveil::account {
namespace {

using exact::Real;
using Curve = std::function<Real(Real)>;

// Sampling of a pair whose two directions have the curve `whole` (Zhu, Dong, Wang 2022, Theorem 11), from the
// definition: (1 - rate) Q + rate P - e^e Q, and Q - e^e ((1 - rate) Q + rate P). Below e = 0 the curve continues as
// delta(-e) = 1 - e^-e (1 - delta(e)).
Real present_delta(const Curve& whole, Real rate, Real e) { return rate * whole(std::log1p(std::expm1(e) / rate)); }
Real blank_delta(const Curve& whole, Real rate, Real e) {
  const Real left = 1 - std::exp(e) * (1 - rate);
  if (left <= 0) return 0;
  const Real z = std::log(rate * std::exp(e) / left);
  return left * (z >= 0 ? whole(z) : 1 - std::exp(z) * (1 - whole(-z)));
}

// Never below the curve, and close to it, at any rate.
void expect_curve(const Mechanism& m, const Curve& whole, double tolerance) {
  for (double rate : {1e-12, 1e-4, 0.03, 0.6, 1.0}) {
    const AtomPair pair = base_atoms(m, rate < 1 ? Sampling(Poisson{rate}) : Sampling(NoSampling{}), 1e-25);
    for (double z : {0.0, 0.1, 0.4, 0.9, 1.5, 2.5}) {
      const double e = std::log1p(rate * std::expm1(z));
      const auto present = static_cast<double>(present_delta(whole, rate, e));
      EXPECT_GE(atoms_delta(pair.present, e, 0), present * (1 - 1e-4) - 1e-24) << kind(m) << " " << rate << " " << z;
      EXPECT_LE(atoms_delta(pair.present, e, 0), present * (1 + tolerance) + 1e-5 * rate)
          << kind(m) << " " << rate << " " << z;
      // In this direction the loss is at most -ln(1 - rate).
      const double back = rate < 1 ? std::min(e, -std::log1p(-rate * (1 - std::exp(-z)))) : e;
      const auto blank = static_cast<double>(blank_delta(whole, rate, back));
      EXPECT_GE(atoms_delta(pair.blank, back, 0), blank * (1 - 1e-4) - 1e-24) << kind(m) << " " << rate << " " << z;
      EXPECT_LE(atoms_delta(pair.blank, back, 0), blank * (1 + tolerance) + 1e-5 * rate)
          << kind(m) << " " << rate << " " << z;
    }
  }
}

TEST(AtomsBounds, ContinuousMechanismsFollowTheirCurves) {
  for (double s : {0.5, 1.0, 3.0}) {
    expect_curve(Gaussian{s}, [s](Real e) { return exact::gaussian_delta(1 / Real(s), e); }, 1e-4);
  }
  for (double b : {0.4, 2.0}) {
    expect_curve(Laplace{b}, [b](Real e) { return exact::laplace_delta(1 / Real(b), e); }, 1e-4);
  }
  for (double r : {0.7, 3.0}) {
    expect_curve(Exponential{r}, [r](Real e) { return exact::range_delta(r, e); }, 1e-4);
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
          if (i > 0) EXPECT_LT(d->loss[i - 1], d->loss[i]);
        }
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
}  // namespace graphveil::account
