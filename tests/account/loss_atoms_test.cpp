#include "graphveil/account/loss_atoms.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tests/account/exact_delta.h"

namespace graphveil::account::loss_atoms_test {
namespace {

constexpr double kEpsilons[] = {-0.4, 0.0, 0.1, 0.5, 1.0, 2.0, 3.0};

// From the definition, with nothing left out by order.
double delta(const AtomLoss& atoms, double epsilon) {
  double sum = atoms.infinity;
  for (size_t i = 0; i < atoms.size(); ++i) sum += atoms.mass[i] * std::max(0.0, 1 - std::exp(epsilon - atoms.loss[i]));
  return sum;
}

double mass(const AtomLoss& atoms) { return std::accumulate(atoms.mass.begin(), atoms.mass.end(), atoms.infinity); }

double mass_of_the_other(const AtomLoss& atoms) {
  double sum = 0;
  for (size_t i = 0; i < atoms.size(); ++i) sum += atoms.mass[i] * std::exp(-atoms.loss[i]);
  return sum;
}

std::vector<double> everywhere(const AtomLoss& atoms) { return std::vector<double>(atoms.size(), 1.0); }

AtomLoss random_atoms(size_t n, int seed, double infinity) {
  std::mt19937_64 random(static_cast<uint64_t>(seed));
  std::normal_distribution<double> loss(0.3, 1);
  std::uniform_real_distribution<double> weight(0.1, 1);
  AtomLoss atoms;
  for (size_t i = 0; i < n; ++i) atoms.add(loss(random), weight(random));
  const double total = mass(atoms);
  for (double& m : atoms.mass) m *= (1 - infinity) / total;
  atoms.infinity = infinity;
  return sorted(std::move(atoms));
}

AtomLoss all_sums(const AtomLoss& a, const AtomLoss& b) {
  AtomLoss out;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j) out.add(a.loss[i] + b.loss[j], a.mass[i] * b.mass[j]);
  }
  out.infinity = 1 - (1 - a.infinity) * (1 - b.infinity);
  return out;
}

// `coarse` dominates `fine`, and is close to it.
void expect_dominates(const AtomLoss& coarse, const AtomLoss& fine, double tolerance) {
  EXPECT_NEAR(mass(coarse), mass(fine), 1e-12);
  // Rounding is upward: a little less of the other, never more.
  EXPECT_LE(mass_of_the_other(coarse), mass_of_the_other(fine) + 1e-12);
  EXPECT_GE(mass_of_the_other(coarse), mass_of_the_other(fine) - 3e-6);
  for (double e : kEpsilons) {
    EXPECT_GE(delta(coarse, e), delta(fine, e) - 1e-14) << e;
    EXPECT_LE(delta(coarse, e), delta(fine, e) + tolerance) << e;
  }
}

TEST(LossAtoms, SortedJoinsEqualLosses) {
  const AtomLoss atoms = sorted({{2, -1, 0.1 + 0.2, 0.3, 2, 5}, {0.125, 0.25, 0.25, 0.125, 0.125, 1e-300}, 0.125});
  EXPECT_EQ(atoms.loss, (std::vector<double>{-1, 0.1 + 0.2, 2}));  // the larger of two that differ by rounding
  EXPECT_EQ(atoms.mass, (std::vector<double>{0.25, 0.375, 0.25}));
  EXPECT_DOUBLE_EQ(atoms.infinity, 0.125);  // and what was too small for an atom
  EXPECT_GT(sorted({{5}, {1e-300}, 0}).infinity, 0);
}

TEST(LossAtoms, DeltaAndEpsilonByHand) {
  const AtomLoss atoms{{-1, 0.5, 2}, {0.3, 0.5, 0.15}, 0.05};
  EXPECT_NEAR(atoms_delta(atoms, 2, 0), 0.05, 1e-15);
  EXPECT_NEAR(atoms_delta(atoms, 1, 0), 0.05 + 0.15 * (1 - std::exp(-1)), 1e-15);
  EXPECT_NEAR(atoms_delta(atoms, 0, 0), 0.05 + 0.15 * (1 - std::exp(-2)) + 0.5 * (1 - std::exp(-0.5)), 1e-15);
  EXPECT_NEAR(atoms_delta(atoms, 1, 0.01), 1.01 * atoms_delta(atoms, 1, 0), 1e-15);
  EXPECT_EQ(atoms_delta({{}, {}, 1}, 1, 0.5), 1);

  // One atom above: 0.05 + 0.15 (1 - e^(e-2)) = 0.11. Two: the coefficient of e^e is 0.15 e^-2 + 0.5 e^-0.5.
  EXPECT_NEAR(atoms_epsilon(atoms, 0.11, 0), 2 + std::log(0.6), 1e-14);
  EXPECT_NEAR(atoms_epsilon(atoms, 0.3, 0), std::log(0.4 / (0.15 * std::exp(-2) + 0.5 * std::exp(-0.5))), 1e-14);
  EXPECT_NEAR(atoms_epsilon(atoms, 0.05, 0), 2, 1e-15);
  EXPECT_GT(atoms_epsilon(atoms, 0.11, 0.01), atoms_epsilon(atoms, 0.11, 0));
  EXPECT_EQ(atoms_epsilon(atoms, 0.0499, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(atoms_epsilon(atoms, atoms_delta(atoms, 0, 0) * 1.0001, 0), 0);
  EXPECT_EQ(atoms_epsilon({{-2, -1}, {0.5, 0.5}, 0}, 1e-9, 0), 0);
}

TEST(LossAtoms, ThinnedDominates) {
  const AtomLoss fine = random_atoms(5000, 3, 1e-3);
  for (size_t most : {20, 100, 1000}) {
    const AtomLoss coarse = thinned(fine, most, everywhere);
    EXPECT_LE(coarse.size(), most);
    EXPECT_EQ(coarse.loss.front(), fine.loss.front());
    EXPECT_EQ(coarse.loss.back(), fine.loss.back());
    EXPECT_EQ(coarse.infinity, fine.infinity);
    expect_dominates(coarse, fine, 10.0 / static_cast<double>(most * most));
  }
  EXPECT_EQ(thinned(fine, 5000, everywhere).loss, fine.loss);
}

TEST(LossAtoms, ComposedIsTheSumOfIndependentLosses) {
  // Few: every sum is there.
  const AtomLoss a{{-1, 2}, {0.3, 0.6}, 0.1}, b{{0, 0.5, 4}, {0.25, 0.25, 0.25}, 0.25};
  const AtomLoss few = composed(a, b, 10, everywhere, everywhere, everywhere);
  EXPECT_EQ(few.loss, (std::vector<double>{-1, -0.5, 2, 2.5, 3, 6}));
  EXPECT_NEAR(few.mass[4], 0.3 * 0.25, 1e-16);
  EXPECT_NEAR(few.infinity, 1 - 0.9 * 0.75, 1e-15);
  EXPECT_EQ(composed(a, {{}, {}, 1}, 10, everywhere, everywhere, everywhere).infinity, 1);
  // Many: split onto fewer positions, either way round.
  const AtomLoss x = random_atoms(300, 5, 1e-4), y = random_atoms(150, 7, 0), exact = all_sums(x, y);
  for (size_t most : {60, 400}) {
    for (bool swap : {false, true}) {
      const AtomLoss sum = composed(swap ? y : x, swap ? x : y, most, everywhere, everywhere, everywhere);
      EXPECT_LE(sum.size(), most + 1);
      expect_dominates(sum, exact, 10.0 / static_cast<double>(most * most));
    }
  }
}

TEST(LossAtoms, SampledIsTheMixture) {
  // Outcomes that only one of the two can give are among them.
  const exact::Outcomes whole{{0.4L, 0}, {0.3L, 0.1L}, {0.2L, 0.3L}, {0.1L, 0.4L}, {0, 0.2L}};
  AtomPair pair;
  for (const exact::Outcome& o : whole) {
    const auto p = static_cast<double>(o.p), q = static_cast<double>(o.q);
    if (p > 0 && q > 0) {
      pair.present.add(std::log(p / q), p);
      pair.blank.add(std::log(q / p), q);
    } else {
      (p > 0 ? pair.present : pair.blank).infinity += p + q;
    }
  }
  pair = {sorted(pair.present), sorted(pair.blank)};
  for (double rate : {1e-6, 0.2, 0.9, 1.0}) {
    const AtomPair mixed = sampled(pair, rate);
    EXPECT_NEAR(mass(mixed.present), 1, 1e-14);
    EXPECT_NEAR(mass(mixed.blank), 1, 1e-14);
    for (double e : {0.0, 1e-7, 0.1, 0.6, 2.0}) {
      double present = 0, blank = 0;
      for (const exact::Outcome& o : exact::sampled(whole, rate)) {
        present += static_cast<double>(std::max<exact::Real>(0, o.p - std::exp(exact::Real(e)) * o.q));
        blank += static_cast<double>(std::max<exact::Real>(0, o.q - std::exp(exact::Real(e)) * o.p));
      }
      EXPECT_NEAR(delta(mixed.present, e), present, 1e-14) << rate << " " << e;
      EXPECT_NEAR(delta(mixed.blank, e), blank, 1e-14) << rate << " " << e;
    }
  }
}

TEST(LossAtoms, WhatIsNoNumberIsInfinite) {
  const double nan = std::nan("");
  for (const AtomLoss& bad : {AtomLoss{{0, nan}, {0.5, 0.5}, 0}, AtomLoss{{0, 1}, {0.5, nan}, 0}}) {
    const AtomLoss out = sorted(bad);
    EXPECT_EQ(out.size(), 0u);
    EXPECT_EQ(out.infinity, 1);
  }
}

}  // namespace
}  // namespace graphveil::account::loss_atoms_test
