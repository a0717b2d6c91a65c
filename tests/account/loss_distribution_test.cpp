#include "graphveil/account/loss_distribution.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::loss_distribution_test {
namespace {

double total(const LossDistribution& d) { return std::accumulate(d.mass.begin(), d.mass.end(), d.infinity); }

// Mass under the other hypothesis: sum of mass e^-loss.
double other_total(const LossDistribution& d) {
  double sum = 0;
  for (size_t i = 0; i < d.mass.size(); ++i) sum += d.mass[i] * std::exp(-d.loss(i));
  return sum;
}

TEST(LossPairBuilder, KeepsBothMassesOfEveryPiece) {
  LossPairBuilder builder(0.1, -1, 1);
  builder.add_piece(0.13, 0.38, 0.6, 0.6 * std::exp(-0.25), 0, 0);
  builder.add_cell(-4, 0.3, 0.3 * std::exp(0.36), 0, 0);
  builder.add_atom(0.1, 0.1 * std::exp(0.777));
  const LossPair pair = std::move(builder).build();
  const double q = 0.6 * std::exp(-0.25) + 0.3 * std::exp(0.36) + 0.1 * std::exp(0.777);
  EXPECT_NEAR(total(pair.present), 1, 1e-14);
  EXPECT_NEAR(other_total(pair.present), q, 1e-13);
  EXPECT_NEAR(total(pair.blank), q, 1e-14);
  EXPECT_NEAR(other_total(pair.blank), 1, 1e-13);
}

TEST(LossPairBuilder, AtomOnTheLatticeStaysOneAtom) {
  LossPairBuilder builder(0.25, -1, 1);
  builder.add_atom(0.5, 0.5 * std::exp(-0.75));
  const LossPair pair = std::move(builder).build();
  for (size_t i = 0; i < pair.present.mass.size(); ++i) {
    EXPECT_NEAR(pair.present.mass[i], std::fabs(pair.present.loss(i) - 0.75) < 1e-9 ? 0.5 : 0, 1e-12);
  }
}

TEST(LossPairBuilder, DominatesTheAtomsItReplaces) {
  // Losses and masses of a small mechanism, exactly: P = {p_i}, Q = {p_i e^-loss_i}.
  const std::vector<std::pair<double, double>> atoms = {
      {-0.93, 0.05}, {-0.31, 0.25}, {0.02, 0.3}, {0.46, 0.25}, {1.7, 0.15}};
  LossPairBuilder builder(0.1, -1.2, 2);
  for (const auto& [loss, p] : atoms) builder.add_atom(p, p * std::exp(-loss));
  const LossPair pair = std::move(builder).build();
  for (double e = -2; e < 3; e += 0.013) {
    double present = 0, blank = 0;
    for (const auto& [loss, p] : atoms) {
      present += std::max(0.0, p - std::exp(e) * p * std::exp(-loss));
      blank += std::max(0.0, p * std::exp(-loss) - std::exp(e) * p);
    }
    EXPECT_GE(reference::delta(pair.present, e), present - 1e-13) << e;
    EXPECT_LE(reference::delta(pair.present, e), present + 0.01) << e;
    EXPECT_GE(reference::delta(pair.blank, e), blank - 1e-13) << e;
  }
}

TEST(LossPairBuilder, WhatDoesNotFitGoesToTheEndsAndToInfinity) {
  LossPairBuilder builder(0.5, -1, 1);
  builder.add_above(0.2, 0.2 * std::exp(-3));
  builder.add_below(0.1 * std::exp(-3), 0.1);
  builder.add_atom(0.3, 0.3 * std::exp(-2));
  const LossPair pair = std::move(builder).build();
  EXPECT_NEAR(pair.present.infinity, 0.2 * (1 - std::exp(-2)) + 0.3 * (1 - std::exp(-1)), 1e-14);
  EXPECT_NEAR(pair.blank.infinity, 0.1 * (1 - std::exp(-2)), 1e-14);
  EXPECT_NEAR(total(pair.present), 0.5 + 0.1 * std::exp(-3), 1e-14);
}

TEST(LossPairBuilder, WhatIsNoNumberCountsInFull) {
  const double nan = std::nan("");
  LossPairBuilder builder(0.5, -1, 1);
  builder.add_present_at(nan, 0.25);
  builder.add_blank_at(nan, 0.5);
  const LossPair pair = std::move(builder).build();
  EXPECT_EQ(pair.present.infinity, 0.25);
  EXPECT_EQ(pair.blank.infinity, 0.5);
  LossPairBuilder other(0.5, -1, 1);
  other.add_present_at(0.3, nan);
  EXPECT_EQ(std::move(other).build().present.infinity, 1);
  for (double step : {nan, 0.0, -1.0, 1e-30}) EXPECT_THROW(LossPairBuilder(step, -1, 1), Error) << step;
  EXPECT_THROW(LossPairBuilder(0.5, nan, 1), Error);
}

}  // namespace
}  // namespace graphveil::account::loss_distribution_test
