#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/account/atoms_bounds.h"
#include "graphveil/base/error.h"
#include "tests/account/exact_delta.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::atoms_group_test {
namespace {

struct Setting {
  double s, rate;
  int deletions, insertions;
};

TEST(AtomsGroup, MatchesTheIntegralInBothDirections) {
  for (const Setting& g :
       {Setting{4, 0.1, 8, 7}, {2, 0.05, 1, 1}, {3, 0.3, 0, 4}, {3, 0.3, 4, 0}, {1.5, 0.02, 11, 10}}) {
    const AtomPair pair = group_atoms(g.s, PoissonGroup{g.rate, g.deletions, g.insertions}, 1e-14);
    const reference::Pair truth = reference::gaussian_group(g.s, g.rate, g.deletions, g.insertions);
    for (double e : {0.0, 0.1, 0.5, 1.5, 4.0}) {
      const double present = reference::delta(truth, e, false, 20000), blank = reference::delta(truth, e, true, 20000);
      EXPECT_GE(atoms_delta(pair.present, e, 0), present - 1e-7) << g.deletions << " at " << e;
      EXPECT_LE(atoms_delta(pair.present, e, 0), present + 1e-6) << g.deletions << " at " << e;
      EXPECT_GE(atoms_delta(pair.blank, e, 0), blank - 1e-7) << g.deletions << " at " << e;
      EXPECT_LE(atoms_delta(pair.blank, e, 0), blank + 1e-6) << g.deletions << " at " << e;
    }
  }
}

TEST(AtomsGroup, FarOutTheWorseDirectionIsRightToAThousandth) {
  for (const Setting& g : {Setting{4, 0.1, 8, 7}, {1, 1e-6, 3, 2}, {50, 0.2, 60, 59}, {0.8, 0.01, 0, 5}}) {
    const AtomPair pair = group_atoms(g.s, PoissonGroup{g.rate, g.deletions, g.insertions}, 1e-22);
    const exact::Group truth(g.s, g.rate, g.deletions, g.insertions);
    for (double delta : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const double epsilon = std::max(atoms_epsilon(pair.present, delta, 0), atoms_epsilon(pair.blank, delta, 0));
      if (epsilon == 0) {
        EXPECT_LE(truth.delta(0), delta * (1 + 1e-6));
        continue;
      }
      EXPECT_LE(truth.delta(epsilon), delta * (1 + 1e-6)) << g.deletions << " " << delta;
      EXPECT_GE(truth.delta(epsilon * (1 - 1e-3)), delta) << g.deletions << " " << delta;
    }
  }
}

TEST(AtomsGroup, TinyLossesKeepTheirDigits) {
  for (double s : {1e3, 1e5}) {
    const AtomPair pair = group_atoms(s, PoissonGroup{0.1, 8, 7}, 1e-16);
    const exact::Group truth(s, 0.1L, 8, 7);
    for (double share : {0.0, 0.5, 2.0}) {
      const double e = share / s, worst = std::max(atoms_delta(pair.present, e, 0), atoms_delta(pair.blank, e, 0));
      EXPECT_NEAR(worst / static_cast<double>(truth.delta(e)), 1 + 5e-5, 5e-5) << s << " " << share;
    }
  }
}

TEST(AtomsGroup, OneDeletionIsPoissonSamplingAndTheMirrorImageIsItsReverse) {
  const AtomPair group = group_atoms(1.3, PoissonGroup{0.04, 1, 0}, 1e-14);
  const AtomPair mirror = group_atoms(1.3, PoissonGroup{0.04, 0, 1}, 1e-14);
  const AtomPair single = base_atoms(Gaussian{1.3}, Poisson{0.04}, 1e-14);
  for (double e : {0.0, 0.02, 0.3, 1.0, 2.0}) {
    EXPECT_NEAR(atoms_delta(group.present, e, 0), atoms_delta(single.present, e, 0), 1e-7) << e;
    EXPECT_NEAR(atoms_delta(group.blank, e, 0), atoms_delta(single.blank, e, 0), 1e-7) << e;
    EXPECT_NEAR(atoms_delta(mirror.blank, e, 0), atoms_delta(single.present, e, 0), 1e-7) << e;
    EXPECT_NEAR(atoms_delta(mirror.present, e, 0), atoms_delta(single.blank, e, 0), 1e-7) << e;
  }
}

TEST(AtomsGroup, MassesAreKept) {
  for (const Setting& g : {Setting{1e4, 1e-3, 2, 2}, {1, 0.5, 6, 6}, {0.1, 0.1, 4, 3}, {300, 0.05, 300, 299}}) {
    for (double tail : {1e-16, 1e-3}) {
      const AtomPair pair = group_atoms(g.s, PoissonGroup{g.rate, g.deletions, g.insertions}, tail);
      for (const AtomLoss* d : {&pair.present, &pair.blank}) {
        double other = 0;
        for (size_t i = 0; i < d->size(); ++i) other += std::exp(std::log(d->mass[i]) - d->loss[i]);
        EXPECT_NEAR(std::accumulate(d->mass.begin(), d->mass.end(), d->infinity), 1, 1e-10) << g.s << " " << tail;
        EXPECT_LE(other, 1 + 1e-10) << g.s << " " << tail;
      }
    }
  }
}

TEST(AtomsGroup, RefusesMoreCountsThanItCanCompute) {
  try {
    group_atoms(1, PoissonGroup{0.5, 1'000'000'000, 0}, 1e-10);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  }
}

}  // namespace
}  // namespace graphveil::account::atoms_group_test
