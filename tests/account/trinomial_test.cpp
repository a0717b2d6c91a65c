#include "graphveil/account/trinomial.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/pld.h"

namespace graphveil::account::trinomial_test {
namespace {

// Every sequence of outcomes of `count` runs, 3^count of them.
double brute_force_delta(const RandomizedResponse& m, double rate, int count, double epsilon, bool reversed) {
  const double c = static_cast<double>(m.classes), total = std::exp(m.log_odds) + c - 1;
  const double blank[] = {1 / total, std::exp(m.log_odds) / total, (c - 2) / total};
  const double present[] = {(1 - rate) * blank[0] + rate * blank[1], (1 - rate) * blank[1] + rate * blank[0], blank[2]};
  int sequences = 1;
  for (int i = 0; i < count; ++i) sequences *= 3;
  double delta = 0;
  for (int code = 0; code < sequences; ++code) {
    double p = 1, q = 1;
    for (int i = 0, rest = code; i < count; ++i, rest /= 3) {
      p *= present[rest % 3];
      q *= blank[rest % 3];
    }
    delta += std::max(0.0, reversed ? q - std::exp(epsilon) * p : p - std::exp(epsilon) * q);
  }
  return delta;
}

TEST(Trinomial, MatchesEverySequence) {
  for (const RandomizedResponse& m :
       {RandomizedResponse{0.8, 2}, RandomizedResponse{1.5, 3}, RandomizedResponse{2.1, 10}}) {
    for (double rate : {0.05, 0.4, 1.0}) {
      for (int count : {1, 3, 8}) {
        for (double e : {0.0, 0.2, 1.0}) {
          const double expected =
              std::max(brute_force_delta(m, rate, count, e, false), brute_force_delta(m, rate, count, e, true));
          EXPECT_NEAR(*trinomial_delta(m, rate, count, e), expected, 1e-12) << m.classes << " " << rate << " " << count;
          if (expected > 1e-9 && e > 0) {
            EXPECT_NEAR(*trinomial_epsilon(m, rate, count, expected), e, 1e-7)
                << m.classes << " " << rate << " " << count;
          }
        }
      }
    }
  }
}

TEST(Trinomial, LatticeIsCloseAndNeverBelow) {
  for (int64_t count : {20, 500, 3000}) {
    const RandomizedResponse m{1.0, 6};
    const double exact = *trinomial_epsilon(m, 0.1, count, 1e-6);
    const double lattice = pld_epsilon({{m, Poisson{0.1}, count}}, 1e-6);
    EXPECT_GE(lattice, exact * (1 - 1e-7));
    EXPECT_LE(lattice, exact * 1.0003);
  }
}

TEST(Trinomial, GivesUpOnTooManyTerms) {
  EXPECT_FALSE(trinomial_epsilon({1, 10}, 0.1, 10000000, 1e-6));
  EXPECT_FALSE(trinomial_delta({1, 10}, 0.1, 10000000, 1));
}

using Real = long double;

// Two classes, each loss by its own logarithm.
Real binomial_delta(double log_odds, double rate, int count, Real epsilon) {
  const Real a = 1 / (1 + std::exp(-Real(log_odds))), b = a * std::exp(-Real(log_odds));
  const Real up = std::log1p(rate * std::expm1(Real(log_odds)));
  const Real down = std::log1p(rate * std::expm1(-Real(log_odds)));
  Real present = 0, blank = 0, ways = 1;
  for (int f = 0; f <= count; ++f) {
    const Real loss = f * up + (count - f) * down;
    const Real p = ways * std::pow(b * std::exp(up), Real(f)) * std::pow(a * std::exp(down), Real(count - f));
    const Real q = ways * std::pow(b, Real(f)) * std::pow(a, Real(count - f));
    if (loss > epsilon) present += p * -std::expm1(epsilon - loss);
    if (-loss > epsilon) blank += q * -std::expm1(epsilon + loss);
    ways = ways * (count - f) / (f + 1);
  }
  return std::max(present, blank);
}

TEST(Trinomial, TinyRatesKeepTheirDigits) {
  // 3.4e-58 was printed.
  EXPECT_NEAR(*trinomial_epsilon({100, 2}, 1e-17, 9, 9e-20), 60.855, 1e-3);
  struct Case {
    double log_odds, rate;
    int count;
    double delta;
  };
  for (const Case& c : {Case{100, 1e-17, 9, 9e-20}, Case{1, 2e-10, 12, 1e-11}, Case{0.3, 2e-10, 9, 3e-12},
                        Case{40, 1e-16, 20, 1e-18}, Case{1, 1e-17, 9, 1e-19}}) {
    const auto epsilon = trinomial_epsilon({c.log_odds, 2}, c.rate, c.count, c.delta);
    ASSERT_TRUE(epsilon) << c.rate;
    EXPECT_LE(binomial_delta(c.log_odds, c.rate, c.count, *epsilon), c.delta * (1 + 1e-12L))
        << c.log_odds << " " << c.rate;
    EXPECT_GE(binomial_delta(c.log_odds, c.rate, c.count, *epsilon * (1 - 1e-6L)), c.delta * (1 - 1e-5L))
        << c.log_odds << " " << c.rate;
  }
}

}  // namespace
}  // namespace graphveil::account::trinomial_test
