#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/bound/neighbor_counts.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::mechanism::discrete_counts_test {
namespace {

constexpr int64_t kNodes = 20'000, kGroups = 10;

// No edges: what comes out is the noise.
IntegerMatrix<int64_t> noise(double multiplier, bound::Relation relation) {
  const graph::Graph empty = graph::Graph::from_edges(kNodes, {}, {});
  const std::vector<int32_t> group(kNodes, 0);
  const Plan plan{
      {account::Event("counts", account::DiscreteLaplace{multiplier}), bound::neighbor_counts_bound(relation)}};
  Release release = Release::open(relation, plan, {1 / multiplier * (1 + 1e-9), 0}, Seed::from_number(3));
  return release.discrete_laplace("counts", bound::neighbor_counts(empty, group, kGroups, relation)).value().clone();
}

// Chi-square against P(k) = (1 - q) / (1 + q) q^|k|, q = exp(-1 / scale), cells -6 .. 6 and the two tails.
void expect_discrete_laplace(const IntegerMatrix<int64_t>& drawn, double scale) {
  constexpr int64_t kMost = 6;
  const double q = std::exp(-1 / scale), all = static_cast<double>(drawn.size());
  std::vector<double> seen(2 * kMost + 3);
  for (const int64_t k : drawn.values()) ++seen[static_cast<size_t>(std::clamp(k, -kMost - 1, kMost + 1) + kMost + 1)];
  double chi_square = 0;
  for (int64_t k = -kMost - 1; k <= kMost + 1; ++k) {
    const double size = static_cast<double>(std::abs(k));
    const double p = std::abs(k) > kMost ? std::pow(q, size) / (1 + q) : (1 - q) / (1 + q) * std::pow(q, size);
    const double gap = seen[static_cast<size_t>(k + kMost + 1)] - all * p;
    chi_square += gap * gap / (all * p);
  }
  EXPECT_LT(chi_square, 42.6);  // 14 degrees of freedom: one seed in ten thousand
}

TEST(DiscreteLaplaceCounts, HaveTheStatedNoise) {
  expect_discrete_laplace(noise(1, bound::Relation::Edge), 1);
  expect_discrete_laplace(noise(1, bound::Relation::UndirectedEdge), 2);  // two cells move: twice the scale
}

TEST(DiscreteLaplaceCounts, CostMoreThanTheCapAllows) {
  const Plan plan{
      {account::Event("counts", account::DiscreteLaplace{1}), bound::neighbor_counts_bound(bound::Relation::Edge)}};
  EXPECT_THROW(Release::open(bound::Relation::Edge, plan, {0.99, 0}, Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::discrete_counts_test
