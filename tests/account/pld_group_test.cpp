#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/account/pld_bounds.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::pld_group_test {
namespace {

struct Setting {
  double s, rate;
  int deletions, insertions;
};

TEST(PldGroup, MatchesTheIntegralInBothDirections) {
  for (const Setting& g :
       {Setting{4, 0.1, 8, 7}, {2, 0.05, 1, 1}, {3, 0.3, 0, 4}, {3, 0.3, 4, 0}, {1.5, 0.02, 11, 10}}) {
    const LossPair pair = discretize_group(g.s, PoissonGroup{g.rate, g.deletions, g.insertions}, 0.005, 1e-14);
    const reference::Pair truth = reference::gaussian_group(g.s, g.rate, g.deletions, g.insertions);
    for (double e : {0.0, 0.1, 0.5, 1.5, 4.0}) {
      const double present = reference::delta(truth, e, false, 50000), blank = reference::delta(truth, e, true, 50000);
      EXPECT_GE(reference::delta(pair.present, e), present - 1e-8) << g.deletions << " at " << e;
      EXPECT_LE(reference::delta(pair.present, e), present + 5e-5) << g.deletions << " at " << e;
      EXPECT_GE(reference::delta(pair.blank, e), blank - 1e-8) << g.deletions << " at " << e;
      EXPECT_LE(reference::delta(pair.blank, e), blank + 5e-5) << g.deletions << " at " << e;
    }
  }
}

TEST(PldGroup, OneDeletionIsPoissonSampling) {
  const LossPair group = discretize_group(1.3, PoissonGroup{0.04, 1, 0}, 0.002, 1e-14);
  const LossPair single = discretize(Gaussian{1.3}, Poisson{0.04}, 0.002, 1e-14);
  for (double e : {0.0, 0.02, 0.3, 1.0, 2.0}) {
    EXPECT_NEAR(reference::delta(group.present, e), reference::delta(single.present, e), 2e-6) << e;
    EXPECT_NEAR(reference::delta(group.blank, e), reference::delta(single.blank, e), 2e-6) << e;
  }
}

TEST(PldGroup, TableAndDirectSumsAgree) {
  // The same pair seen with bins finer and coarser than the distance between components.
  const PoissonGroup group{0.1, 30, 29};
  const LossPair fine = discretize_group(40, group, 0.0005, 1e-14), coarse = discretize_group(40, group, 0.02, 1e-14);
  for (double e : {0.0, 0.1, 0.4}) {
    EXPECT_GE(reference::delta(coarse.present, e), reference::delta(fine.present, e) - 1e-12) << e;
    EXPECT_NEAR(reference::delta(coarse.present, e), reference::delta(fine.present, e), 3e-4) << e;
  }
}

TEST(PldGroup, ThousandsOfSamples) {
  const LossPair pair = discretize_group(300, PoissonGroup{0.05, 1111, 1110}, 0.01, 1e-14);
  EXPECT_NEAR(std::accumulate(pair.present.mass.begin(), pair.present.mass.end(), pair.present.infinity), 1, 1e-9);
  EXPECT_LT(pair.present.infinity, 1e-12);
  // About a Gaussian shift of 111 with variance s^2 + 53 on both sides, at least the mean shift over the larger noise.
  const double mu = 0.05 * 2221 / std::sqrt(300 * 300 + 0.05 * 0.95 * 1111);
  EXPECT_NEAR(reference::delta(pair.present, 0), std::erf(mu / (2 * std::sqrt(2.0))), 2e-3);
}

}  // namespace
}  // namespace graphveil::account::pld_group_test
