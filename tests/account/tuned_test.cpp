#include "graphveil/account/tuned.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "graphveil/base/random.h"

namespace graphveil::account::tuned_test {
namespace {

using Chances = std::vector<double>;  // of the outcomes 0, 1, ..., the last one best

// P(K = k) for k = 1, 2, ..., straight from the definition, until the rest no longer matters.
Chances pmf(const Trials& trials) {
  struct Next {
    double k;  // P(k + 1) / P(k)
    double operator()(const NegativeBinomial& t) const { return (1 - t.stop) * (k + t.shape) / (k + 1); }
    double operator()(const PositivePoisson& t) const { return t.rate / (k + 1); }
  };
  Chances p{1};
  for (double k = 1; p.back() > 1e-18 || k < 50; ++k) p.push_back(p.back() * std::visit(Next{k}, trials));
  const double all = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= all;
  return p;
}

double brute_mean(const Trials& trials) {
  const Chances p = pmf(trials);
  double mean = 0;
  for (size_t i = 0; i < p.size(); ++i) mean += p[i] * static_cast<double>(i + 1);
  return mean;
}

// The best of K outcomes: P(best <= y) = E[P(<= y)^K], term by term. The difference of two powers is summed as
// b^k - a^k = (b - a) sum_j b^j a^(k-1-j), so that no digit is lost.
Chances best_of(const Trials& trials, const Chances& one) {
  const Chances p = pmf(trials);
  Chances out;
  double below = 0;
  for (const double chance : one) {
    const double up_to = below + chance;
    double power_b = 1, sum = 1, total = 0;  // sum = sum_j b^j a^(k-1-j)
    for (const double pk : p) {
      total += pk * chance * sum;
      power_b *= up_to;
      sum = sum * below + power_b;
    }
    out.push_back(total);
    below = up_to;
  }
  return out;
}

double renyi(const Chances& p, const Chances& q, double order) {
  std::vector<double> terms;
  for (size_t i = 0; i < p.size(); ++i) terms.push_back(order * std::log(p[i]) + (1 - order) * std::log(q[i]));
  const double most = *std::max_element(terms.begin(), terms.end());
  double sum = 0;
  for (const double t : terms) sum += std::exp(t - most);
  return (most + std::log(sum)) / (order - 1);
}

double largest_loss(const Chances& p, const Chances& q) {
  double most = 0;
  for (size_t i = 0; i < p.size(); ++i) most = std::max(most, std::fabs(std::log(p[i] / q[i])));
  return most;
}

double hockey_stick(const Chances& p, const Chances& q, double epsilon) {
  double a = 0, b = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    a += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
    b += std::max(0.0, q[i] - std::exp(epsilon) * p[i]);
  }
  return std::max(a, b);
}

Chances random_chances(int64_t outcomes, double spread, RandomStream& random) {
  Chances out;
  for (int64_t i = 0; i < outcomes; ++i) out.push_back(std::exp(spread * random.gaussian()));
  const double all = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& x : out) x /= all;
  return out;
}

// Pairs of a mechanism on two neighbors: randomized response, and whatever else.
std::vector<std::pair<Chances, Chances>> pairs() {
  std::vector<std::pair<Chances, Chances>> out;
  for (const double e : {0.1, 0.5, 2.0}) {
    const double a = std::exp(e) / (1 + std::exp(e));
    out.push_back({{1 - a, a}, {a, 1 - a}});
  }
  // A rare good outcome that is rarer still on the neighbor: what a search looks for.
  out.push_back({{0.99, 0.01}, {0.995, 0.005}});
  out.push_back({{0.999, 0.001}, {0.9999, 0.0001}});
  RandomStream random(Seed::from_number(3), "pairs");
  for (int i = 0; i < 40; ++i) {
    Chances p = random_chances(2 + i % 5, i % 2 == 0 ? 0.3 : 2, random), q = p;
    for (double& x : q) x *= std::exp(0.4 * random.gaussian());
    const double all = std::accumulate(q.begin(), q.end(), 0.0);
    for (double& x : q) x /= all;
    out.emplace_back(std::move(p), std::move(q));
  }
  return out;
}

const std::vector<Trials> kTrials = {
    NegativeBinomial{1, 0.5},   NegativeBinomial{1, 0.1},  NegativeBinomial{1, 0.02},   NegativeBinomial{0, 0.3},
    NegativeBinomial{0, 0.05},  NegativeBinomial{0, 0.01}, NegativeBinomial{-0.5, 0.1}, NegativeBinomial{-0.9, 0.05},
    NegativeBinomial{2.5, 0.2}, PositivePoisson{0.3},      PositivePoisson{2},          PositivePoisson{7},
    PositivePoisson{30}};

TEST(Tuned, MeansAreThoseOfTheDistributions) {
  for (const Trials& trials : kTrials) {
    EXPECT_NEAR(mean_trials(trials), brute_mean(trials), 1e-9 * brute_mean(trials)) << kind(trials);
  }
  EXPECT_NEAR(mean_trials(NegativeBinomial{1, 0.25}), 4, 1e-12);
  EXPECT_NEAR(mean_trials(NegativeBinomial{1e-10, 0.05}), mean_trials(NegativeBinomial{0, 0.05}), 1e-6);
}

TEST(Tuned, TheMeanThatIsAskedForIsMet) {
  for (const int64_t mean : {2, 3, 5, 8, 9, 30, 1000, 10000}) {
    const double got = mean_trials(trials_of_mean(mean));
    EXPECT_LE(got, static_cast<double>(mean));
    EXPECT_GT(got, static_cast<double>(mean) * (1 - 1e-6));
  }
  EXPECT_THROW(trials_of_mean(1), Error);
  EXPECT_THROW(trials_of_mean(0), Error);
  EXPECT_THROW(trials_of_mean(-5), Error);
}

// The best of K is computed outcome by outcome and compared with the theorem, in both directions.
TEST(Tuned, TheBestOfKIsNeverFurtherApartThanStated) {
  int64_t checked = 0, beyond_one_trial = 0;
  double closest = std::numeric_limits<double>::infinity();
  for (const auto& [p, q] : pairs()) {
    const Trial trial{.curve = [&](double a) { return std::max(renyi(p, q, a), renyi(q, p, a)); },
                      .pure = largest_loss(p, q),
                      .delta = [&](double e) { return hockey_stick(p, q, e); }};
    for (const Trials& trials : kTrials) {
      const Chances best_p = best_of(trials, p), best_q = best_of(trials, q);
      ASSERT_NEAR(std::accumulate(best_p.begin(), best_p.end(), 0.0), 1, 1e-9);
      const RenyiCurve bound = tuned_curve(trials, trial);
      for (const double order : {1.1, 1.5, 2.0, 5.0, 20.0, 100.0}) {
        const double truth = std::max(renyi(best_p, best_q, order), renyi(best_q, best_p, order));
        ASSERT_LE(truth, bound(order) * (1 + 1e-9) + 1e-12) << kind(trials) << " order " << order;
        closest = std::min(closest, bound(order) / truth);
        beyond_one_trial += truth > trial.curve(order) * 1.01;
        ++checked;
      }
      const double pure = tuned_pure(trials, trial.pure, hockey_stick(p, q, 0));
      ASSERT_LE(largest_loss(best_p, best_q), pure * (1 + 1e-9)) << kind(trials);
    }
  }
  EXPECT_GT(checked, 3000);
  // The search does cost something, and the bound is no wild guess.
  EXPECT_GT(beyond_one_trial, checked / 10);
  EXPECT_LT(closest, 1.3);
}

Event tuned(const Trials& trials, const Event& event) {
  return {"search", Tuned{trials, std::make_shared<const Event>(event)}};
}

// Epsilon by the theorem's formulas for one Gaussian, on a grid of orders a thousandth apart, in Python.
TEST(Tuned, GaussianTrialsAgreeWithTheFormulas) {
  struct Case {
    double noise, delta;
    int64_t mean;
    double epsilon;
  };
  for (const Case& c : {Case{5, 1e-5, 5, 1.16822},
                        {2, 1e-6, 3, 2.98378},
                        {1, 1e-5, 8, 7.76743},
                        {5, 1e-5, 20, 1.51047},
                        {2, 1e-6, 100, 4.53501}}) {
    const double got = spent_epsilon({tuned(trials_of_mean(c.mean), Event("", Gaussian{c.noise}))}, c.delta);
    EXPECT_GE(got, c.epsilon * (1 - 1e-4)) << c.mean;
    EXPECT_LE(got, c.epsilon * 1.01) << c.mean;
    // The same by the other accountant: there is one proof.
    EXPECT_EQ(got,
              spent_epsilon({tuned(trials_of_mean(c.mean), Event("", Gaussian{c.noise}))}, c.delta, Accountant::Rdp));
  }
  const Event geometric = tuned(NegativeBinomial{1, 0.1}, Event("", Gaussian{5}));
  EXPECT_NEAR(spent_epsilon({geometric}, 1e-5), 1.71832, 1e-3);
}

TEST(Tuned, CostsMoreThanOneTrialAndComposes) {
  const Event trial("", Gaussian{3}, Poisson{0.01}, 500), search = tuned(PositivePoisson{4}, trial);
  const double one = spent_epsilon({trial}, 1e-6), best = spent_epsilon({search}, 1e-6);
  EXPECT_GT(best, one);
  const double two = spent_epsilon({search, search}, 1e-6), with_more = spent_epsilon({search, trial}, 1e-6);
  EXPECT_GT(with_more, best);
  EXPECT_GT(two, with_more);
  EXPECT_LT(two, 2 * best);
  EXPECT_EQ(two, spent_epsilon({Event("", Tuned{PositivePoisson{4}, std::make_shared<const Event>(trial)}, 2)}, 1e-6));
  const double delta = spent_delta({search}, best);
  EXPECT_GT(delta, 0.5e-6);
  EXPECT_LE(delta, 1.001e-6);
}

TEST(Tuned, PureTrialsStayPure) {
  const Event trial("", DiscreteLaplace{2});  // epsilon 1/2
  EXPECT_NEAR(spent_epsilon({tuned(NegativeBinomial{0, 0.1}, trial)}, 0), 1, 1e-9);
  EXPECT_NEAR(spent_epsilon({tuned(NegativeBinomial{1, 0.1}, trial)}, 0), 1.5, 1e-9);
  EXPECT_NEAR(spent_epsilon({tuned(PositivePoisson{3}, trial)}, 0), 0.5 + 3 * std::tanh(0.25), 1e-9);
  EXPECT_EQ(spent_epsilon({tuned(PositivePoisson{3}, Event("", Gaussian{1}))}, 0),
            std::numeric_limits<double>::infinity());
}

TEST(Tuned, FailsClosed) {
  const auto infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(spent_epsilon({tuned(PositivePoisson{3}, Event("", Gaussian{0}))}, 1e-5), infinity);
  EXPECT_EQ(spent_epsilon({tuned(PositivePoisson{3}, Event("", Gaussian{1}, {}, 0))}, 1e-5), 0);
  const Event search = tuned(PositivePoisson{3}, Event("", Gaussian{1}));
  const auto share = [](Event event) { return std::make_shared<const Event>(std::move(event)); };
  const Event two("", Composed{{Event("", Gaussian{1}), Event("", Laplace{1})}});
  for (const Event& nest : {Event("", Sampled{0.5, share(search)}), tuned(PositivePoisson{3}, search),
                            tuned(PositivePoisson{3}, Event("", Sampled{0.5, share(two)})),
                            tuned(PositivePoisson{3}, Event("", Laplace{1}, PoissonGroup{0.1, 2, 1}))}) {
    EXPECT_FALSE(supports(nest));
    EXPECT_THROW(spent_epsilon({nest}, 1e-5), Error);
  }
  for (const Trials& bad : {Trials(NegativeBinomial{-1, 0.5}), Trials(NegativeBinomial{0, 0}),
                            Trials(NegativeBinomial{0, 1}), Trials(PositivePoisson{0}), Trials(PositivePoisson{-1}),
                            Trials(PositivePoisson{std::nan("")}), Trials(NegativeBinomial{std::nan(""), 0.5})}) {
    EXPECT_THROW(tuned(bad, Event("", Gaussian{1})), Error);
  }
  EXPECT_THROW(Event("", Tuned{PositivePoisson{3}, nullptr}), Error);
}

TEST(Tuned, CalibrationMeetsTheTarget) {
  for (const int64_t mean : {3, 20}) {
    const auto plan = [&](double noise) {
      return Ledger{tuned(trials_of_mean(mean), Event("", Composed{{Event("", Gaussian{noise}, Poisson{0.02}, 300),
                                                                    Event("", Gaussian{9 * noise})}}))};
    };
    const Calibration found = calibrate(plan, 2, 1e-5);
    EXPECT_LE(found.epsilon, 2);
    EXPECT_GT(found.epsilon, 1.99);
    EXPECT_EQ(found.epsilon, spent_epsilon(plan(found.noise), 1e-5));
  }
}

}  // namespace
}  // namespace graphveil::account::tuned_test
