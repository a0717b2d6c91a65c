#include "graphveil/account/accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/gdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account::accountant_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double cost(const Mechanism& m, const Sampling& s, int64_t count, double delta, Accountant a = Accountant::Pld) {
  return spent_epsilon(Ledger{Event("", m, s, count)}, delta, a);
}

TEST(Accountant, NothingReleasedCostsNothing) {
  for (Accountant a : {Accountant::Pld, Accountant::Rdp}) {
    for (double delta : {0.0, 1e-12, 0.5, 1.0}) {
      EXPECT_EQ(spent_epsilon(Ledger{}, delta, a), 0);
      EXPECT_EQ(cost(Gaussian{1}, NoSampling{}, 0, delta, a), 0);
      EXPECT_EQ(cost(Gaussian{0}, NoSampling{}, 0, delta, a), 0);
      EXPECT_EQ(cost(Gaussian{1}, Poisson{0}, 1000000, delta, a), 0);
      EXPECT_EQ(cost(Laplace{1}, Poisson{0}, 10, delta, a), 0);
      EXPECT_EQ(cost(Exponential{0}, NoSampling{}, 10, delta, a), 0);
      EXPECT_EQ(cost(RandomizedResponse{0, 3}, NoSampling{}, 10, delta, a), 0);
      EXPECT_EQ(cost(Gaussian{1}, PoissonGroup{0.5, 0, 0}, 10, delta, a), 0);
      EXPECT_EQ(cost(Gaussian{1}, PoissonGroup{0, 9, 8}, 10, delta, a), 0);
    }
    EXPECT_EQ(spent_delta(Ledger{}, 0, a), 0);
  }
}

TEST(Accountant, NoNoiseIsInfinite) {
  for (Accountant a : {Accountant::Pld, Accountant::Rdp}) {
    for (double delta : {0.0, 1e-5, 0.5}) {
      EXPECT_EQ(cost(Gaussian{0}, NoSampling{}, 1, delta, a), kInf);
      EXPECT_EQ(cost(Gaussian{0}, Poisson{1e-9}, 1, delta, a), kInf);
      EXPECT_EQ(cost(Laplace{0}, Poisson{0.1}, 1, delta, a), kInf);
      EXPECT_EQ(cost(Gaussian{0}, PoissonGroup{0.1, 1, 0}, 1, delta, a), kInf);
    }
    EXPECT_EQ(spent_delta(Ledger{Event("", Gaussian{0})}, 10, a), 1);
  }
}

TEST(Accountant, DeltaZeroIsPureDp) {
  EXPECT_EQ(cost(Gaussian{5}, NoSampling{}, 1, 0), kInf);
  EXPECT_EQ(cost(Gaussian{5}, Poisson{0.1}, 1, 0), kInf);
  EXPECT_NEAR(cost(Laplace{4}, NoSampling{}, 8, 0), 2, 1e-12);
  EXPECT_NEAR(cost(Laplace{1}, Poisson{0.1}, 3, 0), 3 * std::log(0.9 + 0.1 * std::exp(1)), 1e-12);
  EXPECT_NEAR(cost(RandomizedResponse{1.5, 4}, NoSampling{}, 2, 0), 3, 1e-12);
  EXPECT_NEAR(cost(Exponential{0.25}, NoSampling{}, 4, 0), 1, 1e-12);
  EXPECT_EQ(cost(Gaussian{5}, NoSampling{}, 1, 1), 0);
  EXPECT_EQ(spent_delta(Ledger{Event("", Laplace{4}, NoSampling{}, 8)}, 2.0001), 0);
}

TEST(Accountant, RefusesWhatItCannotProve) {
  for (Accountant a : {Accountant::Pld, Accountant::Rdp}) {
    for (int64_t count : {0, 1}) {
      try {
        cost(Laplace{1}, PoissonGroup{0.1, 2, 1}, count, 1e-5, a);
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      }
    }
    for (double bad : {-0.1, 1.1, std::nan("")}) EXPECT_THROW(cost(Gaussian{1}, NoSampling{}, 1, bad, a), Error);
    for (double bad : {-0.1, std::nan("")}) EXPECT_THROW(spent_delta(Ledger{Event("", Gaussian{1})}, bad, a), Error);
  }
}

TEST(Accountant, SpecialCasesOfSampling) {
  EXPECT_EQ(cost(Gaussian{1}, Poisson{1}, 7, 1e-5), cost(Gaussian{1}, NoSampling{}, 7, 1e-5));
  EXPECT_EQ(cost(Laplace{1}, Poisson{1}, 7, 1e-5), cost(Laplace{1}, NoSampling{}, 7, 1e-5));
  EXPECT_EQ(cost(Gaussian{1.2}, PoissonGroup{0.03, 1, 0}, 100, 1e-6), cost(Gaussian{1.2}, Poisson{0.03}, 100, 1e-6));
  // Every sample in the batch: one shift by deletions + insertions.
  EXPECT_NEAR(cost(Gaussian{20}, PoissonGroup{1, 4, 3}, 9, 1e-6), gdp_epsilon(3 * 7 / 20.0, 1e-6), 1e-9);
  // And close to it just below rate 1.
  EXPECT_NEAR(cost(Gaussian{20}, PoissonGroup{1 - 1e-9, 4, 3}, 9, 1e-6), gdp_epsilon(3 * 7 / 20.0, 1e-6), 1e-3);
}

TEST(Accountant, AddRemoveMirror) {
  // Present and blank exchanged: the same two directions in the other order.
  EXPECT_NEAR(
      cost(Gaussian{3}, PoissonGroup{0.1, 0, 4}, 50, 1e-6) / cost(Gaussian{3}, PoissonGroup{0.1, 4, 0}, 50, 1e-6), 1,
      3e-4);
  EXPECT_NEAR(
      cost(Gaussian{3}, PoissonGroup{0.1, 2, 5}, 50, 1e-6) / cost(Gaussian{3}, PoissonGroup{0.1, 5, 2}, 50, 1e-6), 1,
      3e-4);
}

TEST(Accountant, OrderAndGroupingOfLinesDoNotMatter) {
  std::vector<Event> events = {Event("a", Gaussian{2}, Poisson{0.1}, 50), Event("b", Laplace{9}, NoSampling{}, 5),
                               Event("c", Gaussian{4}, NoSampling{}, 2),
                               Event("d", RandomizedResponse{0.3, 3}, Poisson{0.5}, 4),
                               Event("e", Gaussian{5}, PoissonGroup{0.1, 3, 2}, 10)};
  const auto ledger = [&] {
    Ledger out;
    for (const Event& e : events) out.add(e);
    return out;
  };
  const double expected = spent_epsilon(ledger(), 1e-6);
  std::reverse(events.begin(), events.end());
  EXPECT_EQ(spent_epsilon(ledger(), 1e-6), expected);
  std::swap(events[1], events[3]);
  EXPECT_EQ(spent_epsilon(ledger(), 1e-6), expected);
  Ledger split;
  for (const Event& e : events) {
    split.add(Event("first", e.mechanism(), e.sampling(), e.count() / 2));
    split.add(Event("rest", e.mechanism(), e.sampling(), e.count() - e.count() / 2));
  }
  EXPECT_NEAR(spent_epsilon(split, 1e-6), expected, 1e-9);
}

// A spread of ledgers of every kind.
std::vector<Ledger> assortment() {
  std::vector<Ledger> out;
  const std::vector<Mechanism> mechanisms = {Gaussian{0.6},
                                             Gaussian{5},
                                             Laplace{0.8},
                                             Laplace{12},
                                             Exponential{0.3},
                                             Exponential{3},
                                             RandomizedResponse{0.4, 2},
                                             RandomizedResponse{2.5, 9}};
  const std::vector<Sampling> samplings = {NoSampling{}, Poisson{0.003}, Poisson{0.3}};
  for (const Mechanism& m : mechanisms) {
    for (const Sampling& s : samplings) {
      for (int64_t count : {1, 17, 400}) out.push_back(Ledger{Event("", m, s, count)});
    }
  }
  for (int64_t deletions : {2, 11, 111}) {
    out.push_back(Ledger{
        Event("", Gaussian{2.0 * static_cast<double>(deletions)}, PoissonGroup{0.05, deletions, deletions - 1}, 100)});
  }
  out.push_back(Ledger{Event("", Gaussian{1}, Poisson{0.02}, 200), Event("", Laplace{3}, NoSampling{}, 4),
                       Event("", Gaussian{2}, NoSampling{}, 3)});
  return out;
}

TEST(Accountant, PldIsNeverAboveRdp) {
  for (const Ledger& ledger : assortment()) {
    for (double delta : {1e-2, 1e-6, 1e-12}) {
      const double pld = spent_epsilon(ledger, delta), rdp = spent_epsilon(ledger, delta, Accountant::Rdp);
      const Event& e = ledger.events()[0];
      EXPECT_TRUE(std::isfinite(pld) && pld >= 0) << kind(e.mechanism());
      // Where both meet at the largest loss the lattice may be a hair above.
      EXPECT_LE(pld, rdp * (1 + 3e-4) + 1e-12)
          << kind(e.mechanism()) << " " << kind(e.sampling()) << " " << e.count() << " " << delta;
    }
  }
}

TEST(Accountant, EpsilonFallsWithDeltaAndDeltaInvertsIt) {
  for (const Ledger& ledger : assortment()) {
    double last = kInf;
    for (double delta : {1e-12, 1e-8, 1e-4, 1e-2, 0.3}) {
      const double e = spent_epsilon(ledger, delta);
      EXPECT_LE(e, last * (1 + 3e-4));
      last = e;
      if (e > 0 && e < 50) {
        const double back = spent_delta(ledger, e * 1.0005);
        EXPECT_LE(back, delta * 1.001) << kind(ledger.events()[0].mechanism()) << " "
                                       << kind(ledger.events()[0].sampling());
      }
    }
  }
}

// epsilon of a family with one parameter must move one way.
template <typename F>
void expect_monotone(std::vector<double> values, bool rising, F&& epsilon) {
  if (!rising) std::reverse(values.begin(), values.end());
  double last = 0;
  for (double v : values) {
    const double e = epsilon(v);
    EXPECT_GE(e, last * (1 - 3e-4)) << v;
    last = e;
  }
}

TEST(Accountant, MonotoneInEveryParameter) {
  const double d = 1e-6;
  const auto n = [](double x) { return static_cast<int64_t>(x); };
  const std::vector<double> noises = {1e-3, 0.1, 0.5, 0.7, 1, 3, 10, 1e3, 1e6},
                            rates = {0, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.999, 1};
  const std::vector<double> counts = {0, 1, 2, 10, 100, 5000}, sizes = {0, 1, 2, 5, 20, 100};
  for (Accountant a : {Accountant::Pld, Accountant::Rdp}) {
    expect_monotone(noises, false, [&](double s) { return cost(Gaussian{s}, NoSampling{}, 10, d, a); });
    expect_monotone(noises, false, [&](double s) { return cost(Gaussian{s}, Poisson{0.05}, 10, d, a); });
    expect_monotone(noises, false, [&](double s) { return cost(Gaussian{s}, PoissonGroup{0.05, 3, 2}, 10, d, a); });
    expect_monotone(noises, false, [&](double s) { return cost(Laplace{s}, NoSampling{}, 10, d, a); });
    expect_monotone(noises, false, [&](double s) { return cost(Laplace{s}, Poisson{0.05}, 10, d, a); });
    expect_monotone(noises, true, [&](double r) { return cost(Exponential{r}, NoSampling{}, 10, d, a); });
    expect_monotone(noises, true, [&](double r) { return cost(Exponential{r}, Poisson{0.05}, 10, d, a); });
    expect_monotone(noises, true, [&](double r) { return cost(RandomizedResponse{r, 5}, Poisson{0.05}, 10, d, a); });
    expect_monotone({2, 3, 10, 1000}, false, [&](double c) {
      return cost(RandomizedResponse{1, n(c)}, NoSampling{}, 20, d, a);
    });
    expect_monotone(rates, true, [&](double q) { return cost(Gaussian{1}, Poisson{q}, 10, d, a); });
    expect_monotone(rates, true, [&](double q) { return cost(Laplace{1}, Poisson{q}, 10, d, a); });
    expect_monotone(rates, true, [&](double q) { return cost(Exponential{1}, Poisson{q}, 10, d, a); });
    expect_monotone(rates, true, [&](double q) { return cost(RandomizedResponse{1, 3}, Poisson{q}, 10, d, a); });
    expect_monotone(rates, true, [&](double q) { return cost(Gaussian{5}, PoissonGroup{q, 3, 2}, 10, d, a); });
    expect_monotone(counts, true, [&](double c) { return cost(Gaussian{1}, Poisson{0.01}, n(c), d, a); });
    expect_monotone(counts, true, [&](double c) { return cost(Laplace{5}, Poisson{0.01}, n(c), d, a); });
    expect_monotone(counts, true, [&](double c) { return cost(RandomizedResponse{1, 3}, Poisson{0.01}, n(c), d, a); });
    expect_monotone(sizes, true, [&](double k) { return cost(Gaussian{10}, PoissonGroup{0.1, n(k), 3}, 20, d, a); });
    expect_monotone(sizes, true, [&](double k) { return cost(Gaussian{10}, PoissonGroup{0.1, 3, n(k)}, 20, d, a); });
  }
}

TEST(Accountant, AMillionStepsAndTinyDeltas) {
  for (double delta : {1e-5, 1e-12, 1e-100}) {
    // Many small sampled steps come close to a Gaussian with mu = rate sqrt(n (e^(1/s^2) - 1)) (Dong, Roth, Su 2022).
    const double e = cost(Gaussian{20}, Poisson{0.01}, 1000000, delta);
    const double limit = gdp_epsilon(0.01 * std::sqrt(1e6 * std::expm1(1 / 400.0)), delta);
    EXPECT_NEAR(e / limit, 1, 2e-3) << delta;
    EXPECT_LE(e, cost(Gaussian{20}, Poisson{0.01}, 1000000, delta, Accountant::Rdp));
  }
  EXPECT_GT(cost(Laplace{100}, NoSampling{}, 1000000, 1e-9), 50);
  EXPECT_LE(cost(RandomizedResponse{0.01, 4}, Poisson{0.1}, 1000000, 1e-9),
            cost(RandomizedResponse{0.01, 4}, Poisson{0.1}, 1000000, 1e-9, Accountant::Rdp));
}

TEST(Accountant, ExtremeNoiseStaysAboveTheTruth) {
  // Noise 1e-3 on one of a hundred runs: at least the cost of a single sampled release at its largest.
  EXPECT_GT(cost(Gaussian{1e-3}, Poisson{0.01}, 1, 1e-6), 4e5);
  EXPECT_TRUE(std::isfinite(cost(Gaussian{1e-3}, Poisson{0.01}, 1, 1e-6)));
  // Noise 1e6: the first-order total variation n q / (s sqrt(2 pi)) is above delta, so epsilon cannot be zero.
  EXPECT_GT(cost(Gaussian{1e6}, Poisson{0.5}, 100, 1e-6), 0);
  EXPECT_GT(cost(Gaussian{1e6}, Poisson{0.5}, 100, 1e-6, Accountant::Rdp),
            cost(Gaussian{1e6}, Poisson{0.5}, 100, 1e-6));
  EXPECT_EQ(cost(Gaussian{1e6}, Poisson{0.5}, 1, 1e-3), 0);
  EXPECT_GT(cost(Gaussian{1e-30}, NoSampling{}, 1, 1e-6), 1e50);
}

TEST(Accountant, AmplificationOfAWholeRun) {
  const Ledger ledger{Event("", Gaussian{1}, Poisson{0.05}, 100), Event("", Laplace{4})};
  for (double rate : {0.01, 0.3}) {
    for (double delta : {1e-4, 1e-8}) {
      const double whole = spent_epsilon(ledger, delta / rate), amplified = amplified_epsilon(ledger, rate, delta);
      EXPECT_NEAR(amplified, std::log(1 + rate * (std::exp(whole) - 1)), 1e-9);
      EXPECT_NEAR(std::log(amplified_delta(ledger, rate, amplified) / delta), 0, 5e-3);
    }
  }
  EXPECT_EQ(amplified_epsilon(ledger, 0, 1e-5), 0);
  EXPECT_EQ(amplified_epsilon(ledger, 1e-6, 1e-5), 0);
  EXPECT_EQ(amplified_epsilon(ledger, 1, 1e-5), spent_epsilon(ledger, 1e-5));
  // One Gaussian run: the exact sampled mechanism is never worse than the general theorem.
  const Ledger one{Event("", Gaussian{1})};
  EXPECT_LE(cost(Gaussian{1}, Poisson{0.1}, 1, 1e-5), amplified_epsilon(one, 0.1, 1e-5) * (1 + 3e-4));
  EXPECT_EQ(amplified_epsilon(Ledger{Event("", Gaussian{0})}, 0.5, 1e-5), kInf);
}

}  // namespace
}  // namespace graphveil::account::accountant_test
