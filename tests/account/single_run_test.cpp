#include "graphveil/account/single_run.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/zcdp.h"
#include "tests/account/exact_delta.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::single_run_test {
namespace {

using exact::Real;

struct Case {
  Mechanism mechanism;
  std::function<Real(Real)> delta;  // of one run without sampling
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {Gaussian{0.7}, [](Real e) { return exact::gaussian_delta(1 / Real(0.7), e); }},
      {Gaussian{20}, [](Real e) { return exact::gaussian_delta(1 / Real(20), e); }},
      {Laplace{0.4}, [](Real e) { return exact::laplace_delta(1 / Real(0.4), e); }},
      {Laplace{1e4}, [](Real e) { return exact::laplace_delta(1 / Real(1e4), e); }},
      {Exponential{1.5}, [](Real e) { return exact::range_delta(1.5, e); }},
      {RandomizedResponse{2, 2}, [](Real e) { return exact::delta(exact::response(2, 2), e); }},
      {RandomizedResponse{3, 40}, [](Real e) { return exact::delta(exact::response(3, 40), e); }},
      {DiscreteLaplace{3},
       [](Real e) { return exact::delta(exact::discrete(1, 200, [](int z) { return -std::fabs(Real(z)) / 3; }), e); }},
  };
  return all;
}

// The smallest e >= 0 with delta(e) <= delta.
void expect_smallest(double epsilon, double delta, const std::function<Real(Real)>& curve, const std::string& where) {
  ASSERT_GE(epsilon, 0) << where;
  EXPECT_LE(curve(epsilon), delta * (1 + 1e-7L)) << where;
  if (epsilon < 1e-14) return;
  EXPECT_GE(curve(epsilon * (1 - 1e-6L)), delta * (1 - 1e-7L)) << where;
}

TEST(SingleRun, InvertsTheCurve) {
  for (const Case& c : cases()) {
    for (double delta : {1e-9, 1e-5, 1e-2, 0.2, 0.9}) {
      const auto epsilon = single_run_epsilon(c.mechanism, NoSampling{}, delta);
      ASSERT_TRUE(epsilon);
      expect_smallest(*epsilon, delta, c.delta, kind(c.mechanism) + std::string(" ") + std::to_string(delta));
    }
  }
}

TEST(SingleRun, InvertsTheSampledCurve) {
  for (const Case& c : cases()) {
    for (double rate : {1e-3, 0.1, 0.8}) {
      for (double delta : {1e-9, 1e-5, 1e-2, 0.2, 0.9}) {
        const auto epsilon = single_run_epsilon(c.mechanism, Poisson{rate}, delta);
        ASSERT_TRUE(epsilon);
        expect_smallest(
            *epsilon, delta, [&](Real e) { return exact::sampled_delta(rate, e, c.delta); },
            kind(c.mechanism) + std::string(" ") + std::to_string(rate) + " " + std::to_string(delta));
      }
      EXPECT_EQ(*single_run_epsilon(c.mechanism, Poisson{rate}, rate), 0);
    }
  }
}

TEST(SingleRun, MatchesTheIntegralInBothDirections) {
  for (double rate : {0.1, 0.6}) {
    for (const auto& [mechanism, truth] : {std::pair(Mechanism(Gaussian{1.1}), reference::gaussian_poisson(1.1, rate)),
                                           std::pair(Mechanism(Laplace{0.9}), reference::laplace_poisson(0.9, rate))}) {
      const double epsilon = *single_run_epsilon(mechanism, Poisson{rate}, 1e-2);
      const double present = reference::delta(truth, epsilon, false), blank = reference::delta(truth, epsilon, true);
      EXPECT_NEAR(std::max(present, blank), 1e-2, 1e-7) << kind(mechanism) << " " << rate;
    }
  }
}

TEST(SingleRun, LargeLossesDoNotOverflow) {
  // e^1000 is no double; ln(1 - g + g e^z) is z + ln g.
  EXPECT_NEAR(*single_run_epsilon(Laplace{1e-3}, Poisson{0.25}, 1e-6), 1000 + std::log(0.25) + 2 * std::log1p(-4e-6),
              1e-9);
  EXPECT_NEAR(*single_run_epsilon(RandomizedResponse{900, 2}, Poisson{0.5}, 1e-6),
              900 + std::log(0.5) + std::log1p(-2e-6), 1e-9);
}

TEST(SingleRun, DiscreteGaussianIsPricedAsZcdpAndGroupsAreNot) {
  for (double delta : {1e-9, 1e-3}) {
    const double whole = *single_run_epsilon(DiscreteGaussian{2}, NoSampling{}, delta);
    EXPECT_NEAR(zcdp_log_delta(0.125, whole), std::log(delta), 1e-9);
    const double rate = 0.1, part = *single_run_epsilon(DiscreteGaussian{2}, Poisson{rate}, rate * delta);
    EXPECT_NEAR(part, std::log(1 - rate + rate * std::exp(whole)), 1e-12);
  }
  EXPECT_FALSE(single_run_epsilon(Gaussian{1}, PoissonGroup{0.1, 2, 1}, 1e-5));
}

}  // namespace
}  // namespace graphveil::account::single_run_test
