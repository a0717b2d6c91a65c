#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism::discrete_gaussian_test {
namespace {

constexpr int64_t kNodes = 20'000, kGroups = 10;

Plan plan_of(double multiplier, bound::Relation relation) {
  return {{account::Event("counts", account::DiscreteGaussian{multiplier}),
           bound::neighbor_counts_bound(relation, bound::Norm::L2)}};
}

// No edges: what comes out is the noise.
IntegerMatrix<int64_t> noise(double multiplier, bound::Relation relation) {
  const graph::Graph empty = graph::Graph::from_edges(kNodes, {}, {});
  const std::vector<int32_t> group(kNodes, 0);
  Release release = Release::open(relation, plan_of(multiplier, relation), {100, 1e-5}, Seed::from_number(3));
  return release.discrete_gaussian("counts", bound::neighbor_counts(empty, group, kGroups, relation, bound::Norm::L2))
      .value()
      .clone();
}

// Chi-square against P(k) proportional to exp(-k^2 / (2 variance)), cells -5 .. 5 and the two tails.
void expect_discrete_gaussian(const IntegerMatrix<int64_t>& drawn, double variance) {
  constexpr int64_t kMost = 5;
  const auto weight = [&](int64_t k) { return std::exp(-static_cast<double>(k * k) / (2 * variance)); };
  double total = 0;
  std::vector<double> want(2 * kMost + 3), seen(2 * kMost + 3);
  for (int64_t k = -200; k <= 200; ++k) {
    total += weight(k);
    want[static_cast<size_t>(std::clamp(k, -kMost - 1, kMost + 1) + kMost + 1)] += weight(k);
  }
  for (const int64_t k : drawn.values()) ++seen[static_cast<size_t>(std::clamp(k, -kMost - 1, kMost + 1) + kMost + 1)];
  double chi_square = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const double expected = static_cast<double>(drawn.size()) * want[i] / total, gap = seen[i] - expected;
    chi_square += gap * gap / expected;
  }
  EXPECT_LT(chi_square, 39.2);  // 12 degrees of freedom: one seed in ten thousand
}

TEST(DiscreteGaussianCounts, HaveTheStatedNoise) {
  expect_discrete_gaussian(noise(2, bound::Relation::Edge), 4);
  expect_discrete_gaussian(noise(1.5, bound::Relation::UndirectedEdge), 4.5);  // two cells move: twice the variance
}

TEST(DiscreteGaussianCounts, CostMoreThanTheCapAllows) {
  const Plan plan = plan_of(2, bound::Relation::Edge);
  const double price = account::spent_epsilon(plan.ledger(), 1e-5);
  EXPECT_THROW(Release::open(bound::Relation::Edge, plan, {0.99 * price, 1e-5}, Seed::from_number(1)), Error);
  EXPECT_THROW(Release::open(bound::Relation::Edge, plan, {100, 0}, Seed::from_number(1)), Error)
      << "no finite epsilon at delta 0";
}

// Counts bounded in L1 are not what a Gaussian line was planned for.
TEST(DiscreteGaussianCounts, WantABoundInL2) {
  const graph::Graph empty = graph::Graph::from_edges(3, {}, {});
  const std::vector<int32_t> group(3, 0);
  Release release = Release::clear(bound::Relation::Edge, plan_of(1, bound::Relation::Edge));
  EXPECT_THROW(release.discrete_gaussian("counts", bound::neighbor_counts(empty, group, 1, bound::Relation::Edge)),
               Error);
}

// Exactly: of two graphs that differ in one edge, every count's probability under the one is within e^epsilon of that
// under the other, but for delta.
TEST(DiscreteGaussianCounts, PriceCoversTheExactDivergence) {
  for (const double sigma : {0.5, 1.0, 3.0, 10.0}) {
    const double delta = 1e-6;
    const double epsilon = account::spent_epsilon(plan_of(sigma, bound::Relation::Edge).ledger(), delta);
    double total = 0, above = 0;
    const auto weight = [&](double k) { return std::exp(-k * k / (2 * sigma * sigma)); };
    for (int64_t k = -500; k <= 500; ++k) total += weight(static_cast<double>(k));
    for (int64_t k = -500; k <= 500; ++k) {
      const auto x = static_cast<double>(k);
      above += std::max(0.0, (weight(x - 1) - std::exp(epsilon) * weight(x)) / total);
    }
    EXPECT_LE(above, delta) << sigma;
    EXPECT_GT(above, 1e-4 * delta) << sigma << ": the price is far too high";
  }
}

}  // namespace
}  // namespace graphveil::mechanism::discrete_gaussian_test
