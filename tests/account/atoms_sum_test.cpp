#include "graphveil/account/atoms_sum.h"

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "tests/account/exact_delta.h"

namespace graphveil::account::atoms_sum_test {
namespace {

using exact::Outcomes;
using exact::Real;

std::shared_ptr<const Event> share(Event event) { return std::make_shared<const Event>(std::move(event)); }

Outcomes power(const Outcomes& one, int n) {
  Outcomes out{{1, 1}};
  for (int i = 0; i < n; ++i) out = exact::product(out, one);
  return out;
}

// Epsilon is never below the truth and at most `above` of it beyond; delta likewise, by `more`.
void expect_curve(const Summary& summary, const std::function<Real(Real)>& truth, double above, double more) {
  for (double delta : {1e-10, 1e-3}) {
    const double epsilon = atoms_epsilon(summary, delta);
    EXPECT_LE(truth(epsilon), delta * (1 + 1e-7L)) << delta;
    if (epsilon == 0) continue;
    EXPECT_GE(truth(epsilon * (1 - above)), delta * (1 - 1e-9L)) << delta;
    const auto there = static_cast<double>(truth(epsilon));
    EXPECT_GE(atoms_delta(summary, epsilon), there * (1 - 1e-7)) << delta;
    EXPECT_LE(atoms_delta(summary, epsilon), static_cast<double>(truth(epsilon * (1 - 1e-10L))) * (1 + more)) << delta;
  }
}

TEST(AtomsSum, FewOutcomesAreExact) {
  const Ledger ledger{Event("", RandomizedResponse{1.3, 2}, {}, 3),
                      Event("", RandomizedResponse{0.7, 5}, Poisson{0.2}, 2)};
  const Outcomes all =
      exact::product(power(exact::response(1.3L, 2), 3), power(exact::sampled(exact::response(0.7L, 5), 0.2L), 2));
  const Summary summary = summarize(ledger);
  EXPECT_EQ(outcomes(summary), 4 * 6);
  for (double delta : {1e-9, 1e-4, 1e-2, 0.1}) {
    const double epsilon = atoms_epsilon(summary, delta);
    EXPECT_LE(exact::delta(all, epsilon), delta) << delta;
    EXPECT_GE(exact::delta(all, epsilon * (1 - 1e-7L)), delta * (1 - 1e-8L)) << delta;
  }
}

TEST(AtomsSum, CountsOutcomesByMultisets) {
  const auto count = [](const Ledger& ledger) { return outcomes(summarize(ledger)); };
  EXPECT_EQ(count({}), 1);
  EXPECT_EQ(count({Event("", RandomizedResponse{1, 2}, {}, 8)}), 9);
  EXPECT_EQ(count({Event("", RandomizedResponse{1, 3}, {}, 4)}), 15);
  const Event two("", Composed{{Event("", RandomizedResponse{1, 2}), Event("", RandomizedResponse{2, 2})}});
  EXPECT_EQ(count({Event("", Sampled{0.1, share(two)}, 2)}), 15);  // four, and one for those not in the sample
  for (const Mechanism& m :
       {Mechanism(Gaussian{1}), Mechanism(Laplace{1}), Mechanism(Exponential{1}), Mechanism(DiscreteGaussian{1})}) {
    EXPECT_TRUE(std::isinf(count({Event("", m)}))) << kind(m);
  }
  EXPECT_TRUE(std::isinf(count({Event("", RandomizedResponse{1, 2}, {}, 9)})));
}

TEST(AtomsSum, GaussiansAddUpToOne) {
  // Written by hand, as summarize() would join them: n runs of noise s are one of s / sqrt(n).
  for (int64_t n : {1, 7}) {
    Summary summary;
    summary.releases = {{Gaussian{4}, NoSampling{}, n}};
    const Real mu = std::sqrt(Real(n)) / 4;
    expect_curve(
        summary, [mu](Real e) { return exact::gaussian_delta(mu, e); }, 2e-3, 0.03);
  }
}

TEST(AtomsSum, TwoLaplacesAndSamplesOfThem) {
  const auto twice = [](Real e) { return exact::laplace_delta_twice(0.8L, e); };
  expect_curve(summarize({Event("", Laplace{1.25}, {}, 2)}), twice, 2e-3, 0.03);
  const Event whole("", Laplace{1.25}, {}, 2);
  expect_curve(
      summarize({Event("", Sampled{0.05, share(whole)})}),
      [&](Real e) { return exact::sampled_delta(0.05L, e, twice); }, 2e-3, 0.03);
}

TEST(AtomsSum, BeyondTheRangeOfDoublesIsInfinite) {
  EXPECT_TRUE(std::isinf(atoms_epsilon(summarize({Event("", Laplace{1e-3}), Event("", Gaussian{1})}), 1e-6)));
  EXPECT_EQ(atoms_delta(summarize({Event("", Laplace{1e-3}), Event("", Gaussian{1})}), 10), 1);
}

}  // namespace
}  // namespace graphveil::account::atoms_sum_test
