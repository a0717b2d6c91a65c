#include "graphveil/account/calibrate.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/gdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account::calibrate_test {
namespace {

// Meets the target, and two tolerances less noise does not.
void expect_smallest(const Plan& plan, double target, double delta, CalibrationOptions options = {}) {
  const Calibration found = calibrate(plan, target, delta, options);
  EXPECT_LE(found.epsilon, target);
  EXPECT_EQ(found.epsilon, spent_epsilon(plan(found.noise), delta, options.accountant));
  EXPECT_GT(spent_epsilon(plan(found.noise / (1 + 2 * options.relative_tolerance)), delta, options.accountant), target);
}

TEST(Calibrate, GaussiansAgreeWithTheClosedForm) {
  for (double target : {0.01, 1.0, 8.0, 100.0}) {
    const Calibration found =
        calibrate([](double s) { return Ledger{Event("a", Gaussian{s}, NoSampling{}, 5)}; }, target, 1e-6);
    const double exact = std::sqrt(5.0) / gdp_mu(target, 1e-6);
    EXPECT_GE(found.noise, exact * (1 - 1e-9));
    EXPECT_LE(found.noise, exact * 1.0001);
  }
}

TEST(Calibrate, ThreeEventsInAFixedRatio) {
  const Plan plan = [](double s) {
    return Ledger{Event("encoder", Gaussian{s}, Poisson{0.018}, 550),
                  Event("aggregation", Gaussian{0.7 * s}, NoSampling{}, 2),
                  Event("classifier", Gaussian{1.3 * s}, Poisson{0.018}, 550)};
  };
  expect_smallest(plan, 8, 1e-5);
}

TEST(Calibrate, EveryMechanism) {
  expect_smallest([](double b) { return Ledger{Event("a", Laplace{b}, Poisson{0.2}, 50)}; }, 2, 1e-6);
  expect_smallest([](double b) { return Ledger{Event("a", Exponential{1 / b}, NoSampling{}, 40)}; }, 2, 1e-6);
  expect_smallest(
      [](double b) {
        return Ledger{Event("a", RandomizedResponse{1 / b, 7}, Poisson{0.3}, 100)};
      },
      3, 1e-4);
  expect_smallest([](double s) { return Ledger{Event("a", Gaussian{s}, PoissonGroup{0.1, 4, 3}, 60)}; }, 4, 1e-6);
  expect_smallest([](double b) { return Ledger{Event("a", Laplace{b}, NoSampling{}, 3)}; }, 1, 0);
  CalibrationOptions rdp;
  rdp.accountant = Accountant::Rdp;
  expect_smallest([](double s) { return Ledger{Event("a", Gaussian{s}, Poisson{0.02}, 1000)}; }, 2, 1e-5, rdp);
}

TEST(Calibrate, FailsLoudlyWhenImpossible) {
  // One part does not shrink with the knob.
  const Plan plan = [](double s) {
    return Ledger{Event("fixed", Laplace{1}, NoSampling{}, 5), Event("a", Gaussian{s})};
  };
  try {
    calibrate(plan, 1, 1e-6);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotConverged);
  }
  // Gaussian noise never gives pure DP.
  EXPECT_THROW(calibrate([](double s) { return Ledger{Event("a", Gaussian{s})}; }, 1, 0), Error);
  EXPECT_THROW(calibrate([](double) { return Ledger{Event("a", Gaussian{0})}; }, 1, 1e-5), Error);
}

TEST(Calibrate, NeverReturnsZeroNoise) {
  const Calibration found = calibrate([](double) { return Ledger{}; }, 1, 1e-5);
  EXPECT_GT(found.noise, 0);
  EXPECT_GT(calibrate([](double s) { return Ledger{Event("a", Gaussian{s})}; }, 1e7, 1e-5).noise, 0);
}

TEST(Calibrate, RefusesBadTargets) {
  const Plan plan = [](double s) { return Ledger{Event("a", Gaussian{s})}; };
  for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(calibrate(plan, bad, 1e-5), Error);
  for (double bad : {-1.0, 1.0, std::nan("")}) EXPECT_THROW(calibrate(plan, 1, bad), Error);
}

TEST(Calibrate, ACostThatIsNoNumberMeetsNoTarget) {
  EXPECT_THROW(smallest_noise([](double) { return std::nan(""); }, 1, 1e-6), Error);
  const auto lost_below_two = [](double noise) { return noise < 2 ? std::nan("") : 1 / noise; };
  EXPECT_GE(smallest_noise(lost_below_two, 1, 1e-6).noise, 2);
}

}  // namespace
}  // namespace graphveil::account::calibrate_test
