#include "graphveil/bound/neighbor_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "tests/mechanism/access.h"

namespace graphveil::bound::neighbor_sum_test {
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

constexpr double kStep = 0x1p-16;

mechanism::Seen sums_of(const graph::Graph& graph, const Matrix& rows, const NeighborSumOptions& options,
                        double step = kStep) {
  return mechanism::opened(neighbor_sum(graph, rows, options, step), step);
}

// The squared distance in whole steps, without the rows of `left_out`.
int64_t squared_steps(const mechanism::Seen& a, const mechanism::Seen& b, int64_t left_out = -1) {
  const size_t cols = a.values.size() / static_cast<size_t>(a.rows);
  int64_t sum = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    if (static_cast<int64_t>(i / cols) == left_out) continue;
    const double steps = (a.values[i] - b.values[i]) / kStep;
    EXPECT_EQ(steps, std::nearbyint(steps));
    sum += static_cast<int64_t>(steps) * static_cast<int64_t>(steps);
  }
  return sum;
}

TEST(NeighborSum, AddsTheRowsOfTheSources) {
  Matrix rows(3, 2);
  rows(0, 0) = 0.5f;
  rows(1, 1) = 0.25f;
  const graph::Graph graph = make_graph(3, {{0, 2}, {1, 2}, {2, 0}});
  for (const Relation relation : {Relation::Edge, Relation::Node, Relation::Record}) {
    const mechanism::Seen sums = sums_of(graph, rows, {.relation = relation});
    // Numbers that the grid holds come out as they are, but for the last step of a record's weight.
    const double off = relation == Relation::Record ? kStep : 0;
    EXPECT_NEAR(sums(2, 0), 0.5, off);
    EXPECT_NEAR(sums(2, 1), 0.25, off);
    EXPECT_EQ(sums(0, 0), 0);
  }
}

TEST(NeighborSum, RoundsEveryMessageTowardZero) {
  Matrix rows(2, 2);
  rows(0, 0) = 0.3f;
  rows(0, 1) = -0.3f;
  const mechanism::Seen sums = sums_of(make_graph(2, {{0, 1}}), rows, {.relation = Relation::Edge}, 0x1p-4);
  EXPECT_EQ(sums(1, 0), 0.25);
  EXPECT_EQ(sums(1, 1), -0.25);
}

struct Kind {
  Relation relation;
  DegreeWeights weights = DegreeWeights::SqrtDegree;
};

// Pairs of neighbors of all kinds, with rows far over the norm bound: the distance, which is a whole number of steps,
// never passes the stated sensitivity, and comes close to it.
TEST(NeighborSum, NeighborsAreAtMostTheSensitivityApart) {
  RandomStream random(Seed::from_number(11), "pairs");
  for (const Kind kind :
       {Kind{Relation::Edge}, Kind{Relation::UndirectedEdge}, Kind{Relation::Node},
        Kind{Relation::Record, DegreeWeights::Drop}, Kind{Relation::Record, DegreeWeights::SqrtDegree},
        Kind{Relation::Record, DegreeWeights::SoftCap}}) {
    const Relation relation = kind.relation;
    SCOPED_TRACE(testing::Message() << name(relation) << " " << static_cast<int>(kind.weights));
    double largest_share = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const bool symmetric = relation == Relation::UndirectedEdge || (relation == Relation::Node && trial % 3 == 0);
      const Edges edges = random_edges(12, 30, symmetric, random);
      const auto [u, v] = edges[random.below(edges.size())];
      const auto gone = [&, u = u, v = v](int32_t a, int32_t b) {
        switch (relation) {
          case Relation::Edge: return a == u && b == v;
          case Relation::UndirectedEdge: return (a == u && b == v) || (a == v && b == u);
          case Relation::Node: return a == u || b == u;
          case Relation::Record: return a == u;
        }
        return false;
      };
      Edges fewer;
      for (auto [a, b] : edges) {
        if (!gone(a, b)) fewer.push_back({a, b});
      }
      Matrix rows = random_rows(12, 4, trial % 2 ? 10 : 0.2, random);
      Matrix fewer_rows = rows.clone();
      if (!edge_level(relation)) {
        for (Real& x : fewer_rows.row(u)) x = 0;
      }
      const graph::Graph whole = make_graph(12, edges);
      const NeighborSumOptions options{.relation = relation,
                                       .max_row_norm = 0.7,
                                       .protect_degree = std::max<int64_t>(1, whole.out_degree(u)),
                                       .weights = kind.weights,
                                       .max_out_degree = kind.weights == DegreeWeights::Drop ? 11 : 2};
      const double sensitivity = neighbor_sum_sensitivity(options) / kStep;
      // Under node the row of the node itself is nobody else's.
      const int64_t squares =
          squared_steps(sums_of(whole, rows, options), sums_of(make_graph(12, fewer), fewer_rows, options),
                        relation == Relation::Node ? u : -1);
      EXPECT_LE(static_cast<double>(squares), sensitivity * sensitivity);
      largest_share = std::max(largest_share, std::sqrt(static_cast<double>(squares)) / sensitivity);
    }
    const bool tight = relation != Relation::Record || kind.weights != DegreeWeights::Drop;
    EXPECT_GT(largest_share, tight ? 0.99 : 0.3);
  }
}

// Under node nobody's message depends on a degree: what others send stays, to the last step.
TEST(NeighborSum, UnderNodeOthersMessagesStay) {
  RandomStream random(Seed::from_number(12), "pairs");
  const Edges edges = random_edges(12, 40, true, random);
  const Matrix rows = random_rows(12, 4, 1, random);
  const mechanism::Seen whole = sums_of(make_graph(12, edges), rows, {.relation = Relation::Node});
  for (int32_t w = 0; w < 12; ++w) {
    Edges fewer;
    for (auto [a, b] : edges) {
      if (a != w && b != w) fewer.push_back({a, b});
    }
    const mechanism::Seen rest = sums_of(make_graph(12, fewer), rows, {.relation = Relation::Node});
    for (int32_t v = 0; v < 12; ++v) {
      const bool reads_w = std::find(edges.begin(), edges.end(), std::pair(w, v)) != edges.end();
      if (v == w || reads_w) continue;
      for (int64_t c = 0; c < 4; ++c) EXPECT_EQ(whole(v, c), rest(v, c));
    }
  }
}

// Lengths of 2^28 steps, where squares need more than the 53 bits of a double.
TEST(NeighborSum, NoMessageIsLongerThanTheBoundOnTheFinestGrid) {
  RandomStream random(Seed::from_number(13), "fine");
  constexpr double kFine = 0x1p-28;
  for (const Kind kind : {Kind{Relation::Edge}, Kind{Relation::Record, DegreeWeights::SqrtDegree}}) {
    for (int trial = 0; trial < 200; ++trial) {
      const Matrix rows = random_rows(2, 5, 5, random);
      const mechanism::Seen sums =
          sums_of(make_graph(2, {{0, 1}}), rows, {.relation = kind.relation, .max_row_norm = 1}, kFine);
      int64_t squares = 0;
      for (int64_t c = 0; c < 5; ++c) {
        const auto steps = static_cast<int64_t>(sums(1, c) / kFine);
        squares += steps * steps;
      }
      EXPECT_LE(squares, int64_t{1} << 56);
    }
  }
}

TEST(NeighborSum, StatesTheSensitivitiesOfTheGuarantee) {
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Edge}), 1);
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::UndirectedEdge}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Node}), 10) << "a hundred messages by default";
  EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Node, .max_row_norm = 0.5, .protect_degree = 16}),
                   2);
  for (const DegreeWeights weights : {DegreeWeights::Drop, DegreeWeights::SoftCap}) {
    EXPECT_DOUBLE_EQ(neighbor_sum_sensitivity({.relation = Relation::Node, .protect_degree = 9, .weights = weights}), 3)
        << "weights are of record alone";
  }
  const auto record = [](DegreeWeights weights, int64_t degree) {
    return neighbor_sum_sensitivity({.relation = Relation::Record, .weights = weights, .max_out_degree = degree});
  };
  EXPECT_DOUBLE_EQ(record(DegreeWeights::SqrtDegree, 0), 1);
  EXPECT_DOUBLE_EQ(record(DegreeWeights::Drop, 100), 10);
  EXPECT_DOUBLE_EQ(record(DegreeWeights::SoftCap, 4), 2);
}

TEST(NeighborSum, WeightsReadDegreesUnderRecordAlone) {
  NeighborSumOptions options{.relation = Relation::Record, .max_out_degree = 4};
  EXPECT_DOUBLE_EQ(degree_weight(options, 16), 0.25);
  EXPECT_EQ(degree_weight(options, 0), 1);
  options.weights = DegreeWeights::SoftCap;
  EXPECT_DOUBLE_EQ(degree_weight(options, 16), 0.5);
  EXPECT_EQ(degree_weight(options, 3), 1);
  options.weights = DegreeWeights::Drop;
  EXPECT_EQ(degree_weight(options, 3), 1);
  for (const Relation relation : {Relation::Edge, Relation::UndirectedEdge, Relation::Node}) {
    EXPECT_EQ(degree_weight({.relation = relation}, 16), 1);
  }
}

TEST(NeighborSum, RefusesWhatItCannotBound) {
  const graph::Graph directed = make_graph(3, {{0, 1}, {0, 2}});
  const Matrix rows(3, 2);
  const auto sum = [&](const Matrix& r, const NeighborSumOptions& options, double step = kStep) {
    neighbor_sum(directed, r, options, step);
  };
  EXPECT_NO_THROW(sum(rows, {}));
  EXPECT_THROW(sum(rows, {.relation = Relation::UndirectedEdge}), Error);
  EXPECT_THROW(sum(rows, {.relation = Relation::Record, .weights = DegreeWeights::Drop, .max_out_degree = 1}), Error);
  EXPECT_NO_THROW(sum(rows, {.weights = DegreeWeights::Drop, .max_out_degree = 1})) << "under node none is dropped";
  EXPECT_THROW(sum(rows, {.relation = Relation::Record, .weights = DegreeWeights::SoftCap}), Error);
  EXPECT_THROW(sum(rows, {.protect_degree = 0}), Error);
  EXPECT_THROW(sum(Matrix(2, 2), {}), Error);
  EXPECT_THROW(sum(rows, {.max_row_norm = 0}), Error);
  for (const double step : {0.0, 0.3, 0x1p-31, std::nan("")}) EXPECT_THROW(sum(rows, {}, step), Error) << step;
}

TEST(NeighborSum, ARowThatIsNotFiniteSendsNothing) {
  Matrix rows(3, 2);
  rows(0, 0) = std::numeric_limits<Real>::infinity();
  rows(1, 0) = std::numeric_limits<Real>::quiet_NaN();
  for (const Relation relation : all_relations()) {
    if (relation == Relation::UndirectedEdge) continue;  // this graph is directed
    const mechanism::Seen sums = sums_of(make_graph(3, {{0, 2}, {1, 2}}), rows, {.relation = relation});
    for (const double x : sums.values) EXPECT_EQ(x, 0);
  }
}

}  // namespace
}  // namespace graphveil::bound::neighbor_sum_test
