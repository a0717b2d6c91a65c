#include "graphveil/account/rdp_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::rdp_bounds_test {
namespace {

// 1/(a-1) ln integral p^a q^(1-a), the larger of both directions, by the midpoint rule.
double renyi(const reference::Pair& pair, double order, double extra) {
  constexpr int kPoints = 200000;
  const double low = pair.low - extra, width = (pair.high + 2 * extra - pair.low) / kPoints;
  double forward = 0, backward = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double x = low + (i + 0.5) * width, p = pair.present(x), q = pair.blank(x);
    if (p > 0 && q > 0) {
      forward += std::exp(order * std::log(p) + (1 - order) * std::log(q));
      backward += std::exp(order * std::log(q) + (1 - order) * std::log(p));
    }
  }
  return std::log(std::max(forward, backward) * width) / (order - 1);
}

TEST(RdpBounds, SampledGaussianAtEveryKindOfOrder) {
  for (double s : {0.8, 1.5, 4.0}) {
    for (double rate : {0.01, 0.2, 0.9}) {
      for (double order : {1.1, 1.5, 2.0, 2.7, 5.0, 7.3}) {
        const double expected = renyi(reference::gaussian_poisson(s, rate), order, 10);
        const double bound = rdp_sampled_gaussian(s, rate, order);
        EXPECT_NEAR(bound, expected, 1e-6 * expected + 1e-10) << s << " " << rate << " " << order;
        EXPECT_GE(bound, expected * (1 - 1e-7) - 1e-11);
      }
    }
  }
}

TEST(RdpBounds, LaplaceWithAndWithoutSampling) {
  for (double b : {0.7, 3.0}) {
    for (double order : {1.3, 2.0, 3.0, 6.5}) {
      EXPECT_NEAR(rdp_laplace(b, order), renyi(reference::laplace_poisson(b, 1), order, 0), 1e-5);
      for (double rate : {0.05, 0.5}) {
        const double expected = renyi(reference::laplace_poisson(b, rate), order, 0);
        EXPECT_GE(rdp_sampled_laplace(b, rate, order), expected * (1 - 1e-5) - 1e-8) << b << " " << order;
        if (order == std::floor(order)) {
          EXPECT_NEAR(rdp_sampled_laplace(b, rate, order), expected, 1e-5) << b << " " << order;
        }
      }
    }
  }
}

TEST(RdpBounds, ExponentialIsTheWorstPairOfItsRange) {
  for (double range : {0.05, 0.4, 2.0, 12.0}) {
    for (double order : {1.2, 2.0, 9.0}) {
      double worst = 0;
      for (int i = 0; i <= 20000; ++i) {
        const double t = range * i / 20000, q = (std::exp(-t) - std::exp(-range)) / -std::expm1(-range);
        worst =
            std::max(worst, std::log(q * std::exp(order * t) + (1 - q) * std::exp(order * (t - range))) / (order - 1));
      }
      EXPECT_GE(rdp_exponential(range, order), worst - 1e-9) << range << " " << order;
      EXPECT_LE(rdp_exponential(range, order), std::min(worst * 1.01 + 1e-6, order * range * range / 8 + 1e-15));
      EXPECT_LE(rdp_sampled_exponential(range, 0.1, order), rdp_exponential(range, order));
    }
  }
}

TEST(RdpBounds, RandomizedResponseIsASumOfThreeTerms) {
  const RandomizedResponse m{1.3, 4};
  const double rate = 0.2, odds = std::exp(1.3), total = odds + 3, order = 3.3;
  const double q[] = {1 / total, odds / total, 2 / total};
  const double p[] = {(1 - rate) * q[0] + rate * q[1], (1 - rate) * q[1] + rate * q[0], q[2]};
  double forward = 0, backward = 0;
  for (int i = 0; i < 3; ++i) {
    forward += std::pow(p[i], order) * std::pow(q[i], 1 - order);
    backward += std::pow(q[i], order) * std::pow(p[i], 1 - order);
  }
  EXPECT_NEAR(rdp_randomized_response(m, rate, order), std::log(std::max(forward, backward)) / (order - 1), 1e-12);
}

TEST(RdpBounds, GroupIsAboveTheTrueDivergence) {
  for (double order : {1.5, 2.0, 6.0}) {
    const double expected = renyi(reference::gaussian_group(5, 0.2, 4, 3), order, 60);
    EXPECT_GE(rdp_group_gaussian(5, PoissonGroup{0.2, 4, 3}, order), expected);
  }
  // With every sample in the batch it is a shift of 7.
  EXPECT_NEAR(rdp_group_gaussian(5, PoissonGroup{1, 4, 3}, 3), 3 * 49 / 50.0, 1e-9);
}

TEST(RdpBounds, HypergeometricGroup) {
  // Two touched among five, batch of two: P(0, 1, 2) = 3/10, 6/10, 1/10.
  const double order = 2.5, s = 6, f = 2 * order * (order - 1) / (s * s);
  const double expected = std::log(0.3 + 0.6 * std::exp(f) + 0.1 * std::exp(4 * f)) / (order - 1);
  EXPECT_NEAR(rdp_hypergeometric_group(s, 5, 2, 2, order), expected, 1e-12);
  EXPECT_NEAR(rdp_hypergeometric_group(s, 5, 2, 5, order), 4 * f / (order - 1), 1e-12);
  EXPECT_EQ(rdp_hypergeometric_group(s, 5, 0, 2, order), 0);
  EXPECT_EQ(rdp_hypergeometric_group(0, 5, 1, 2, order), std::numeric_limits<double>::infinity());
}

TEST(RdpBounds, SmallNoiseAndHugeNoise) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Sampling& s : {Sampling(NoSampling{}), Sampling(Poisson{0.1})}) {
    EXPECT_EQ(rdp_bound(Gaussian{0}, s, 2), inf);
    EXPECT_EQ(rdp_bound(Laplace{0}, s, 2), inf);
    // Nearly nothing, but not nothing: a second-order quantity that must not be rounded away.
    EXPECT_GT(rdp_bound(Gaussian{1e6}, s, 2), 1e-15);
    EXPECT_GT(rdp_bound(Laplace{1e5}, s, 2), 1e-13);
  }
  EXPECT_NEAR(rdp_bound(Gaussian{1e6}, Poisson{0.1}, 2), 0.01 * 1e-12, 1e-20);
  EXPECT_EQ(rdp_bound(Gaussian{1}, Poisson{0}, 2), 0);
  EXPECT_EQ(rdp_bound(Gaussian{0}, PoissonGroup{0.1, 1, 0}, 2), inf);
}

TEST(RdpBounds, GrowsWithTheOrder) {
  for (const Mechanism& m : {Mechanism(Gaussian{1.2}), Mechanism(Laplace{1}), Mechanism(Exponential{0.8}),
                             Mechanism(RandomizedResponse{1, 4})}) {
    for (const Sampling& s : {Sampling(NoSampling{}), Sampling(Poisson{0.05})}) {
      double last = 0;
      for (double order : {1.05, 1.4, 1.99, 2.0, 2.5, 3.0, 8.1, 40.0, 100.0, 900.0, 5000.0}) {
        const double value = rdp_bound(m, s, order);
        EXPECT_GE(value, last * (1 - 1e-9)) << kind(m) << " " << kind(s) << " " << order;
        last = value;
      }
    }
  }
}

TEST(RdpBounds, RefusesPairsWithoutAProof) {
  for (const Mechanism& m : {Mechanism(Laplace{1}), Mechanism(Exponential{1}), Mechanism(RandomizedResponse{1, 2})}) {
    EXPECT_THROW(rdp_bound(m, PoissonGroup{0.1, 2, 1}, 2), Error);
  }
  EXPECT_THROW(rdp_bound(Gaussian{1}, NoSampling{}, 1), Error);
}

using Real = long double;

// sum p^a q^(1-a).
double moment(const std::vector<double>& p, const std::vector<double>& q, double order) {
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i) sum += std::pow(p[i], order) * std::pow(q[i], 1 - order);
  return sum;
}

TEST(RdpBounds, ASampleOfAnyPairIsBoundedBothWays) {
  // Pairs that nothing exchanges: few outcomes of random chances, and the two-outcome pairs of a bounded range.
  std::mt19937_64 random(7);
  const auto uniform = [&] { return std::uniform_real_distribution(0.0, 1.0)(random); };
  double closest = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<double> p, q;
    if (i % 2 == 0) {
      const double range = 3 * uniform(), t = range * uniform();
      const double high = -std::expm1(t - range) / (std::exp(t) - std::exp(t - range));
      q = {high, 1 - high};
      p = {high * std::exp(t), (1 - high) * std::exp(t - range)};
    } else {
      for (int k = 0; k < 3; ++k) {
        p.push_back(0.001 + std::pow(uniform(), 4));
        q.push_back(0.001 + std::pow(uniform(), 4));
      }
      const double all_p = p[0] + p[1] + p[2], all_q = q[0] + q[1] + q[2];
      for (double& x : p) x /= all_p;
      for (double& x : q) x /= all_q;
    }
    const double rate = uniform(), order = i % 3 == 0 ? 2 + i % 7 : 1.05 + 6 * uniform();
    const auto whole = [&](double a) { return std::log(std::max(moment(p, q, a), moment(q, p, a))) / (a - 1); };
    std::vector<double> mixed;
    for (size_t k = 0; k < p.size(); ++k) mixed.push_back((1 - rate) * q[k] + rate * p[k]);
    const double truth = std::log(std::max(moment(mixed, q, order), moment(q, mixed, order))) / (order - 1);
    const double bound = rdp_sampled_whole(rate, whole, order);
    EXPECT_GE(bound, truth * (1 - 1e-9) - 1e-12) << rate << " " << order;
    if (truth > 1e-6) closest = std::max(closest, truth / bound);
  }
  EXPECT_GT(closest, 0.99);
}

TEST(RdpBounds, TheLemmaOnSampling) {
  // y^(1-a) <= theta y^a + (1 - theta) x z^a + c (x - 1) for all x, with equality at 1; docs/guarantees.md.
  for (double g : {0.0, 0.01, 0.3, 0.7, 0.99, 1.0}) {
    for (double a : {2.0, 2.5, 4.0, 9.0, 40.0}) {
      const double theta = 3 * (1 - g) / (3 + 2 * (a - 2) * g);
      const double c = (1 - a) * g - theta * a * g - (1 - theta) * (1 - a * g);
      for (double u = -6; u <= 6; u += 0.05) {
        const double x = std::exp(u), y = 1 - g + g * x, z = 1 - g + g / x;
        const double right = theta * std::pow(y, a) + (1 - theta) * x * std::pow(z, a) + c * (x - 1);
        EXPECT_LE(std::pow(y, 1 - a), right + 1e-12 * (std::fabs(right) + std::pow(y, a) + std::fabs(c * x)))
            << g << " " << a << " " << x;
      }
    }
  }
}

TEST(RdpBounds, RareLargeShiftsOfAGroupKeepTheirWeight) {
  // With samples on one side alone there is nothing to couple: sum_i Binom(i) e^(a (a-1) i^2 / 2s^2).
  for (const PoissonGroup& group : {PoissonGroup{0.01, 30, 0}, PoissonGroup{0.2, 0, 40}, PoissonGroup{0.9, 20, 0}}) {
    for (double order : {2.0, 8.0, 20.0}) {
      const int64_t n = group.deletions + group.insertions;
      const double s = 8, factor = order * (order - 1) / (2 * s * s);
      Real total = 0, p = std::pow(1 - Real(group.rate), Real(n));
      for (int64_t i = 0; i <= n; ++i) {
        total += p * std::exp(factor * Real(i * i));
        p *= Real(n - i) / Real(i + 1) * group.rate / (1 - Real(group.rate));
      }
      const double expected = static_cast<double>(std::log(total)) / (order - 1);
      EXPECT_NEAR(rdp_group_gaussian(s, group, order) / expected, 1, 1e-8) << group.rate << " " << order;
    }
  }
}

}  // namespace
}  // namespace graphveil::account::rdp_bounds_test
