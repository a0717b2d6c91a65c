#include "graphveil/bound/neighbor_sum.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::bound {
namespace {

using Edges = std::vector<std::pair<int32_t, int32_t>>;

graph::Graph make_graph(int64_t nodes, const Edges& edges) {
  std::vector<int32_t> from, to;
  for (auto [u, v] : edges) {
    from.push_back(u);
    to.push_back(v);
  }
  return graph::Graph::from_edges(nodes, from, to);
}

Edges random_edges(int64_t nodes, int64_t count, bool symmetric, RandomStream& random) {
  Edges edges;
  for (int64_t e = 0; e < count; ++e) {
    const auto u = static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes)));
    const auto v = static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes)));
    if (u == v) continue;
    edges.push_back({u, v});
    if (symmetric) edges.push_back({v, u});
  }
  return edges;
}

Matrix random_rows(int64_t rows, int64_t cols, double scale, RandomStream& random) {
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(scale * random.gaussian());
  return m;
}

// What is inside a Bounded, by way of a release with next to no noise.
Matrix open(Bounded<Matrix> bounded) {
  constexpr double kTinyNoise = 1e-7;
  mechanism::Release release(bounded.sensitivity().relation, {{"test", account::Gaussian{kTinyNoise}}},
                             {.epsilon = std::numeric_limits<double>::infinity(), .delta = 1e-5}, Seed::from_number(1));
  return release.gaussian("test", std::move(bounded), kTinyNoise).value().clone();
}

double distance(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (int64_t i = 0; i < a.size(); ++i) sum += std::pow(double{a.data()[i]} - double{b.data()[i]}, 2);
  return std::sqrt(sum);
}

TEST(NeighborSum, AddsTheRowsOfTheSources) {
  Matrix rows(3, 2);
  rows(0, 0) = 0.5f;
  rows(1, 1) = 0.25f;
  const Matrix sums = open(neighbor_sum(make_graph(3, {{0, 2}, {1, 2}, {2, 0}}), rows, {.relation = Relation::Edge}));
  EXPECT_NEAR(sums(2, 0), 0.5, 1e-5);
  EXPECT_NEAR(sums(2, 1), 0.25, 1e-5);
  EXPECT_NEAR(sums(0, 0), 0, 1e-5);
}

// Pairs of neighbors of all kinds, with rows far over the norm bound: the measured distance never passes the
// stated sensitivity, and comes close to it.
TEST(NeighborSum, NeighborsAreAtMostTheSensitivityApart) {
  RandomStream random(Seed::from_number(11), "pairs");
  for (Relation relation : {Relation::Edge, Relation::UndirectedEdge, Relation::Node}) {
    for (DegreeWeights weights : {DegreeWeights::Drop, DegreeWeights::SqrtDegree, DegreeWeights::SoftCap}) {
      double largest_share = 0;
      for (int trial = 0; trial < 60; ++trial) {
        const bool symmetric = relation == Relation::UndirectedEdge;
        const Edges edges = random_edges(12, 30, symmetric, random);
        const auto [u, v] = edges[random.below(edges.size())];
        Edges fewer;
        for (auto [a, b] : edges) {
          const bool gone = relation == Relation::Node   ? a == u
                            : relation == Relation::Edge ? a == u && b == v
                                                         : (a == u && b == v) || (a == v && b == u);
          if (!gone) fewer.push_back({a, b});
        }
        Matrix rows = random_rows(12, 4, trial % 2 ? 10 : 0.2, random);
        Matrix fewer_rows = rows.clone();
        if (relation == Relation::Node) {
          for (Real& x : fewer_rows.row(u)) x = 0;
        }
        const NeighborSumOptions options{.relation = relation,
                                         .max_row_norm = 0.7,
                                         .weights = weights,
                                         .max_out_degree = weights == DegreeWeights::Drop ? 11 : 2};
        const double sensitivity = neighbor_sum_sensitivity(options);
        const double moved = distance(open(neighbor_sum(make_graph(12, edges), rows, options)),
                                      open(neighbor_sum(make_graph(12, fewer), fewer_rows, options)));
        EXPECT_LE(moved, sensitivity * (1 + 1e-5));
        largest_share = std::max(largest_share, moved / sensitivity);
      }
      const bool tight = weights != DegreeWeights::Drop || relation != Relation::Node;
      EXPECT_GT(largest_share, tight ? 0.99 : 0.3);
    }
  }
}

TEST(NeighborSum, StatesTheSensitivitiesOfTheGuarantee) {
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Edge}), 1);
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::UndirectedEdge}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Node}), 1);
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.weights = DegreeWeights::Drop, .max_out_degree = 100}), 10);
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.weights = DegreeWeights::SoftCap, .max_out_degree = 4}), 2);
}

TEST(NeighborSum, RefusesWhatItCannotBound) {
  const graph::Graph directed = make_graph(3, {{0, 1}, {0, 2}});
  const Matrix rows(3, 2);
  EXPECT_THROW(neighbor_sum(directed, rows, {.relation = Relation::UndirectedEdge}), Error);
  EXPECT_THROW(neighbor_sum(directed, rows, {.weights = DegreeWeights::Drop, .max_out_degree = 1}), Error);
  EXPECT_THROW(neighbor_sum(directed, Matrix(2, 2), {}), Error);
  EXPECT_THROW(neighbor_sum(directed, rows, {.max_row_norm = 0}), Error);
}

TEST(NeighborSum, ARowThatIsNotFiniteSendsNothing) {
  Matrix rows(3, 2);
  rows(0, 0) = std::numeric_limits<Real>::infinity();
  rows(1, 0) = std::numeric_limits<Real>::quiet_NaN();
  const Matrix sums = open(neighbor_sum(make_graph(3, {{0, 2}, {1, 2}}), rows, {.relation = Relation::Edge}));
  for (Real x : sums.values()) EXPECT_NEAR(x, 0, 1e-5);
}

}  // namespace
}  // namespace graphveil::bound
