#include "graphveil/account/rdp.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/gdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account::rdp_test {
namespace {

TEST(Rdp, ConversionsAreInverse) {
  for (double order : {1.5, 4.0, 60.0}) {
    for (double e : {0.5, 3.0}) {
      const double delta = delta_from_renyi(order, 0.2, e);
      if (delta * delta < -std::expm1(-0.2)) {
        EXPECT_NEAR(epsilon_from_renyi(order, 0.2, delta), e, 1e-12);
      }
    }
  }
}

TEST(Rdp, TightConversionBeatsTheClassicOneAndNotTheTruth) {
  for (double mu : {0.1, 1.0, 5.0}) {
    for (double delta : {1e-3, 1e-9}) {
      const RenyiCurve curve = [mu](double order) { return order * mu * mu / 2; };
      const double tight = best_epsilon(curve, delta);
      const double classic =
          minimize_over_orders([&](double a) { return classic_epsilon_from_renyi(a, curve(a), delta); });
      EXPECT_GE(tight, gdp_epsilon(mu, delta));
      EXPECT_LT(tight, classic);
      // The classic optimum is known: mu^2/2 + mu sqrt(2 ln 1/delta).
      EXPECT_NEAR(classic, mu * mu / 2 + mu * std::sqrt(-2 * std::log(delta)), 1e-5 * classic);
      EXPECT_NEAR(std::log(best_delta(curve, tight)), std::log(delta), 1e-3);
    }
  }
}

TEST(Rdp, NoLossNoEpsilon) {
  EXPECT_EQ(epsilon_from_renyi(2, 0, 1e-5), 0);
  EXPECT_EQ(delta_from_renyi(2, 0, 1), 0);
  EXPECT_EQ(delta_from_renyi(2, std::numeric_limits<double>::infinity(), 1), 1);
}

TEST(Rdp, CurveOfALedgerAddsUp) {
  const Ledger ledger{Event("a", Gaussian{2}, NoSampling{}, 3), Event("b", Gaussian{1}, NoSampling{}, 2),
                      Event("never", Gaussian{0}, NoSampling{}, 0)};
  EXPECT_DOUBLE_EQ(renyi_curve(ledger)(4), 3 * 4 / 8.0 + 2 * 4 / 2.0);
  EXPECT_THROW(renyi_curve(Ledger{Event("c", Laplace{1}, PoissonGroup{0.1, 2, 1}, 1)}), Error);
}

TEST(Rdp, WhatIsNoNumberProvesNothing) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(epsilon_from_renyi(2, nan, 1e-5), inf);
  EXPECT_EQ(delta_from_renyi(2, nan, 1), 1);
  EXPECT_EQ(best_epsilon([nan](double) { return nan; }, 1e-5), inf);
  EXPECT_EQ(best_delta([nan](double) { return nan; }, 1), 1);
  // Nor does one order that is lost spoil the others.
  EXPECT_LT(best_epsilon([nan](double order) { return order > 9 ? nan : order / 2; }, 1e-5), 6);
}

TEST(Rdp, ASampleOfWhatIsSampledHasACurve) {
  const auto share = [](Event e) { return std::make_shared<const Event>(std::move(e)); };
  const Event inner("", Composed{{Event("", Gaussian{2}, Poisson{0.3}, 3), Event("", Exponential{0.5})}});
  const Ledger ledger{Event("", Sampled{0.2, share(inner)}, 10)};
  const double renyi = spent_epsilon(ledger, 1e-6, Accountant::Rdp), tight = spent_epsilon(ledger, 1e-6);
  EXPECT_GE(renyi, tight * (1 - 1e-9));
  EXPECT_LE(renyi, 1.3 * tight);
}

}  // namespace
}  // namespace graphveil::account::rdp_test
