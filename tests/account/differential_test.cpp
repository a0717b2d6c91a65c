// Random ledgers at all ends of the range against independent exact answers: never below, at most 0.1 % above.
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/event_json.h"
#include "tests/account/exact_delta.h"

namespace graphveil::account::differential_test {
namespace {

using exact::Outcomes;
using exact::Real;

constexpr int kCases = 1000;

class Differential : public testing::Test {
 protected:
  double log_uniform(double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random_));
  }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  double any_delta() { return log_uniform(1e-15, 0.5); }
  double any_rate() { return integer(0, 9) == 0 ? 0.999 : log_uniform(1e-12, 1); }

  // `exact_delta` is the truth at any epsilon; with `tight` false only its lower bound.
  void check(const Ledger& ledger, double delta, const std::function<Real(Real)>& exact_delta, bool tight = true) {
    const double epsilon = spent_epsilon(ledger, delta);
    const auto context = [&] { return to_json(ledger).dump() + " delta " + std::to_string(std::log10(delta)); };
    ASSERT_GE(epsilon, 0) << context();
    if (std::isfinite(epsilon)) {
      const Real there = exact_delta(epsilon);
      // The reference itself subtracts numbers near 1.
      EXPECT_LE(there, delta * (1 + 1e-8L) + 1e-17L) << "too low: " << epsilon << " " << context();
    }
    if (!tight || epsilon <= 1e-4 || epsilon > 700) return;
    ++compared_;
    EXPECT_GE(exact_delta(epsilon * (1 - 1e-3L)), delta * (1 - 1e-8L)) << "too high: " << epsilon << " " << context();
  }

  void TearDown() override { RecordProperty("compared", compared_); }

  std::mt19937_64 random_{20240607};
  int compared_ = 0;
};

TEST_F(Differential, Gaussian) {
  for (int i = 0; i < kCases; ++i) {
    const double a = log_uniform(0.03, 1e6), b = log_uniform(0.03, 1e6);
    const int n = integer(1, 5), m = integer(0, 3);
    const Real mu = std::sqrt(Real(n) / a / a + Real(m) / b / b);
    check({Event("", Gaussian{a}, {}, n), Event("", Gaussian{b}, {}, m)}, any_delta(),
          [mu](Real e) { return exact::gaussian_delta(mu, e); });
  }
}

TEST_F(Differential, Laplace) {
  for (int i = 0; i < kCases; ++i) {
    const double scale = log_uniform(1.0 / 340, 1e4);
    if (i % 2 == 0) {
      check({Event("", Laplace{scale})}, any_delta(),
            [r = 1 / Real(scale)](Real e) { return exact::laplace_delta(r, e); });
    } else {
      check({Event("", Laplace{scale}, {}, 2)}, any_delta(),
            [r = 1 / Real(scale)](Real e) { return exact::laplace_delta_twice(r, e); });
    }
  }
}

TEST_F(Differential, Exponential) {
  for (int i = 0; i < kCases; ++i) {
    const double range = log_uniform(1e-4, 600), delta = any_delta();
    if (i % 2 == 0) {
      check({Event("", Exponential{range})}, delta, [range](Real e) { return exact::range_delta(range, e); });
      continue;
    }
    // A mechanism of this range: losses t and t - range. Several runs of it must not cost more than claimed.
    const Real t = Real(range) * integer(0, 20) / 20;
    const Real q_high = -std::expm1(t - range) / (std::exp(t) - std::exp(t - range));
    const Outcomes one{{q_high * std::exp(t), q_high}, {(1 - q_high) * std::exp(t - range), 1 - q_high}};
    Outcomes all = one;
    const int runs = integer(1, 5);
    for (int k = 1; k < runs; ++k) all = exact::product(all, one);
    check(
        {Event("", Exponential{range}, {}, runs)}, delta, [&](Real e) { return exact::delta(all, e); }, false);
  }
}

TEST_F(Differential, RandomizedResponse) {
  for (int i = 0; i < kCases; ++i) {
    Outcomes all{{1, 1}};
    Ledger ledger;
    for (int line = integer(1, 3); line > 0; --line) {
      const double odds = log_uniform(1e-3, 200);
      const int classes = integer(2, 4), runs = integer(1, 2);
      const bool whole = integer(0, 1) == 0;
      const double rate = whole ? 1 : any_rate();
      ledger.add(
          Event("", RandomizedResponse{odds, classes}, whole ? Sampling(NoSampling{}) : Sampling(Poisson{rate}), runs));
      const Outcomes one = exact::sampled(exact::response(odds, classes), rate);
      for (int k = 0; k < runs; ++k) all = exact::product(all, one);
    }
    check(ledger, any_delta(), [&](Real e) { return exact::delta(all, e); });
  }
}

TEST_F(Differential, DiscreteLaplace) {
  for (int i = 0; i < kCases; ++i) {
    // One coordinate moved by `shift`: exact for 1, a bound for more.
    const int shift = i % 2 == 0 ? 1 : integer(1, 4), runs = integer(1, 2);
    const double scale = log_uniform(0.05, 20);
    const Outcomes one = exact::discrete(shift, static_cast<int>(60 * scale) + 10,
                                         [scale](int z) { return -Real(std::abs(z)) / scale; });
    const double delta = log_uniform(1e-12, 0.5), multiplier = scale / shift;
    if (runs == 1 || scale < 1) {
      Outcomes all = one;
      for (int k = 1; k < runs; ++k) all = exact::product(all, one);
      check(
          {Event("", DiscreteLaplace{multiplier}, {}, runs)}, delta, [&](Real e) { return exact::delta(all, e); },
          shift == 1);
    }
    const Outcomes two =
        exact::product(exact::response(shift / Real(scale), 2), exact::response(shift / Real(scale), 2));
    check({Event("", DiscreteLaplace{multiplier}, {}, 2)}, delta, [&](Real e) { return exact::delta(two, e); });
    EXPECT_NEAR(spent_epsilon({Event("", DiscreteLaplace{multiplier}, {}, 2)}, 0), 2 / multiplier, 1e-12 / multiplier);
  }
}

TEST_F(Differential, DiscreteGaussian) {
  for (int i = 0; i < kCases; ++i) {
    const double sigma = log_uniform(0.3, 12), delta = log_uniform(1e-12, 0.5);
    const int shift = integer(1, 2), runs = integer(1, 2);
    const double multiplier = sigma / shift;
    const Ledger ledger{Event("", DiscreteGaussian{multiplier}, {}, runs)};
    if (runs == 1 || sigma < 2) {
      const Outcomes one = exact::discrete(shift, static_cast<int>(13 * sigma) + 6,
                                           [sigma](int z) { return -Real(z) * z / (2 * Real(sigma) * sigma); });
      Outcomes all = one;
      for (int k = 1; k < runs; ++k) all = exact::product(all, one);
      check(
          ledger, delta, [&](Real e) { return exact::delta(all, e); }, false);
    }
    // The best order of the zCDP conversion, by a plain search.
    const Real rho = Real(runs) / (2 * Real(multiplier) * multiplier);
    Real best = 1e30L;
    for (Real x = 1e-3L; x < 1e6L; x *= 1.01L) {
      best = std::min(best, (1 + x) * rho + std::log(x / (1 + x)) - (std::log(Real(delta)) + std::log(1 + x)) / x);
    }
    best = std::max<Real>(best, 0);
    const double epsilon = spent_epsilon(ledger, delta);
    EXPECT_LE(epsilon, best * (1 + 1e-9L)) << multiplier << " " << delta;
    if (delta < 0.05 && epsilon > 1e-3) {
      EXPECT_GE(epsilon, best * (1 - 1e-3L)) << multiplier << " " << delta;
    }
    EXPECT_GE(epsilon, spent_epsilon({Event("", Gaussian{multiplier}, {}, runs)}, delta) * (1 - 1e-12));
  }
}

TEST_F(Differential, Poisson) {
  for (int i = 0; i < kCases; ++i) {
    const double rate = any_rate(), delta = any_delta();
    switch (i % 3) {
      case 0: {
        const double noise = log_uniform(0.05, 1e3);
        check({Event("", Gaussian{noise}, Poisson{rate})}, delta, [&](Real e) {
          return exact::sampled_delta(rate, e, [&](Real x) {
            return x >= 0 ? exact::gaussian_delta(1 / Real(noise), x)
                          : 1 - std::exp(x) * (1 - exact::gaussian_delta(1 / Real(noise), -x));
          });
        });
        break;
      }
      case 1: {
        const double scale = log_uniform(1.0 / 600, 1e3);
        check({Event("", Laplace{scale}, Poisson{rate})}, delta, [&](Real e) {
          return exact::sampled_delta(rate, e, [&](Real x) { return exact::laplace_delta(1 / Real(scale), x); });
        });
        break;
      }
      default: {
        const double range = log_uniform(1e-3, 600);
        check({Event("", Exponential{range}, Poisson{rate})}, delta, [&](Real e) {
          return exact::sampled_delta(rate, e, [&](Real x) { return exact::range_delta(range, x); });
        });
      }
    }
  }
}

TEST_F(Differential, PoissonGroup) {
  for (int i = 0; i < kCases; ++i) {
    const double noise = log_uniform(0.5, 50), rate = log_uniform(1e-6, 0.9), delta = log_uniform(1e-13, 0.5);
    const int deletions = integer(1, 12), insertions = integer(0, 8);
    const exact::Group group(noise, rate, deletions, insertions);
    check({Event("", Gaussian{noise}, PoissonGroup{rate, deletions, insertions})}, delta,
          [&](Real e) { return group.delta(e); });
  }
}

TEST_F(Differential, Nested) {
  for (int i = 0; i < kCases; ++i) {
    Outcomes inner{{1, 1}};
    Composed body;
    for (int line = integer(1, 3); line > 0; --line) {
      const double odds = log_uniform(1e-2, 40);
      const int classes = integer(2, 3);
      body.events.push_back(Event("", RandomizedResponse{odds, classes}));
      inner = exact::product(inner, exact::response(odds, classes));
    }
    const double rate = any_rate(), outer = integer(0, 1) == 0 ? 1 : any_rate();
    auto whole = std::make_shared<const Event>("", std::move(body));
    auto once = std::make_shared<const Event>("", Sampled{rate, whole});
    const Outcomes one = exact::sampled(exact::sampled(inner, rate), outer);
    const int runs = integer(1, 2);
    const double odds = log_uniform(1e-2, 10);
    Outcomes all = exact::response(odds, 2);
    for (int k = 0; k < runs; ++k) all = exact::product(all, one);
    check({Event("", Sampled{outer, once}, runs), Event("", RandomizedResponse{odds, 2})}, any_delta(),
          [&](Real e) { return exact::delta(all, e); });
  }
}

}  // namespace
}  // namespace graphveil::account::differential_test
