#include "graphveil/account/curve_pair.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/account/gdp.h"

namespace graphveil::account::curve_pair_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double total(const AtomLoss& a) { return std::accumulate(a.mass.begin(), a.mass.end(), a.infinity); }

// The curve of a Gaussian at any e.
double gaussian_delta(double mu, double e) {
  return e >= 0 ? gdp_delta(mu, e) : -std::expm1(e) + std::exp(e) * gdp_delta(mu, -e);
}

TEST(CurvePair, AtomsHaveTheCurveTheyWereMadeFrom) {
  for (double mu : {0.1, 1.0, 6.0}) {
    std::vector<CurvePoint> points;
    const double reach = mu * mu / 2 + 7 * mu;
    for (int k = -400; k <= 400; ++k) points.push_back({reach * k / 400, gdp_delta(mu, reach * std::abs(k) / 400)});
    const AtomLoss atoms = atoms_of_curve(points);
    EXPECT_NEAR(total(atoms), 1, 1e-9);
    for (const CurvePoint& p : points) {
      EXPECT_NEAR(atoms_delta(atoms, p.e, 0) / gaussian_delta(mu, p.e), 1, 1e-6) << mu << " " << p.e;
    }
    // The masses under Q, which sampling asks for, keep their digits at the lowest losses: the mirror image.
    double other = 0;
    for (size_t i = 0; i < atoms.size(); ++i) other += atoms.mass[i] * std::exp(-atoms.loss[i]);
    EXPECT_NEAR(other, 1, 1e-9);
    // Between the points it is the chord, never below.
    for (double e = -0.99 * reach; e < 0.99 * reach; e += 0.0137 * reach) {
      EXPECT_GE(atoms_delta(atoms, e, 0), gaussian_delta(mu, e) * (1 - 1e-9)) << mu << " " << e;
    }
  }
}

TEST(CurvePair, PointsFarApartLoseNoMass) {
  // The fall from one to the next is beyond the range of doubles: 1 % of the mass once went to the lowest loss.
  const AtomLoss atoms = atoms_of_curve({{-705, 0.25}, {-300, 1}, {0, 1}, {705, 0.25}});
  EXPECT_NEAR(total(atoms), 1, 1e-12);
  EXPECT_EQ(atoms.infinity, 0.25);
  EXPECT_NEAR(atoms_delta(atoms, 100, 0), 1, 1e-9);
  EXPECT_NEAR(atoms_delta(atoms, 704, 0), 0.25 + 0.75 * -std::expm1(-1), 1e-9);
}

TEST(CurvePair, TheLowerOfTwoCurves) {
  // What is known of a Gaussian of mu = 2 by one of mu = 3 and by its own curve.
  const AtomPair dear = base_atoms(Gaussian{1.0 / 3}, NoSampling{}, 1e-14);
  const AtomPair both = lowered(
      dear, [](double e) { return gdp_delta(2, e); }, kInf);
  for (double e : {0.0, 0.5, 2.0, 6.0}) {
    for (const AtomLoss* direction : {&both.present, &both.blank}) {
      EXPECT_GE(atoms_delta(*direction, e, 0), gdp_delta(2, e) * (1 - 1e-9)) << e;
      EXPECT_LE(atoms_delta(*direction, e, 0), gdp_delta(2, e) * 1.05) << e;
    }
  }
  // Nothing is gained: the pair as it was, to the bit.
  const AtomPair same = lowered(
      dear, [](double e) { return gdp_delta(4, e); }, kInf);
  EXPECT_EQ(same.present.loss, dear.present.loss);
  EXPECT_EQ(same.blank.mass, dear.blank.mass);
}

TEST(CurvePair, APureBoundEndsTheLosses) {
  const AtomPair lost{{{}, {}, 1}, {{}, {}, 1}};  // nothing is known
  const AtomPair pair = lowered(
      lost, [](double) { return 0.3; }, 900);
  EXPECT_EQ(pair.present.infinity, 0);
  EXPECT_LE(atoms_delta(pair.present, 0, 0), 0.3 * (1 + 1e-9));
  EXPECT_EQ(atoms_delta(pair.present, 900, 0), 0);
  EXPECT_GE(atoms_delta(pair.present, 899, 0), 0.3 * -std::expm1(-1) * (1 - 1e-9));
}

}  // namespace
}  // namespace graphveil::account::curve_pair_test
