#include "graphveil/nn/edges.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::nn::edges_test {
namespace {

using Ints = std::vector<int32_t>;

// 0 -> 1, 2 -> 1, 1 -> 0.
struct Triangle {
  std::vector<int64_t> offsets = {0, 1, 3, 3};
  Ints sources = {1, 0, 2};
  SparseView in() const { return {3, 3, offsets, sources, {}}; }
};

TEST(Edges, BothEndsAgree) {
  const Triangle g;
  const Edges edges(g.in(), {});
  EXPECT_FALSE(edges.weighted());
  EXPECT_EQ(Ints(edges.targets().begin(), edges.targets().end()), (Ints{0, 1, 1}));
  const SparseView out = edges.out();
  for (int64_t u = 0; u < 3; ++u) {
    for (int64_t i = out.offsets[u]; i < out.offsets[u + 1]; ++i) {
      const int32_t e = edges.out_edges()[i];
      EXPECT_EQ(edges.in().indices[e], u);
      EXPECT_EQ(edges.targets()[e], out.indices[i]);
    }
  }
}

// Of many edges the indices are kept in half the bytes too, and lists that are the same both ways are read from one
// place.
TEST(Edges, ManyEdgesBothWays) {
  constexpr int64_t kNodes = 700;
  for (const bool symmetric : {true, false}) {
    const auto joined = [&](int64_t u, int64_t v) { return symmetric ? u != v && std::abs(u - v) <= 200 : u < v; };
    std::vector<int64_t> offsets{0};
    Ints sources;
    for (int64_t v = 0; v < kNodes; ++v) {
      for (int64_t u = 0; u < kNodes; ++u) {
        if (joined(u, v)) sources.push_back(static_cast<int32_t>(u));
      }
      offsets.push_back(static_cast<int64_t>(sources.size()));
    }
    const Edges edges({kNodes, kNodes, offsets, sources, {}}, {});
    for (const SparseView& side : {edges.in(), edges.out()}) {
      ASSERT_EQ(side.narrow_indices.size(), side.indices.size());
      EXPECT_TRUE(std::ranges::equal(side.narrow_indices, side.indices));
    }
    EXPECT_EQ(edges.in().indices.data() == edges.out().indices.data(), symmetric);
    const SparseView out = edges.out();
    for (int64_t u = 0; u < kNodes; ++u) {
      for (const int32_t v : out.row(u)) ASSERT_TRUE(joined(u, v));
    }
    EXPECT_EQ(out.entries(), edges.count());
  }
}

TEST(Edges, SelfLoopsAndWeights) {
  const Triangle g;
  const Edges edges(g.in(), {true, EdgeWeights::Symmetric});
  EXPECT_EQ(edges.count(), 6);
  const SparseView in = edges.in();
  EXPECT_EQ(Ints(in.row(1).begin(), in.row(1).end()), (Ints{0, 1, 2}));
  // In-degrees with loops: 2, 3, 1.
  EXPECT_NEAR(in.values[2], 1 / std::sqrt(6.0), 1e-6);  // 0 -> 1
  EXPECT_NEAR(in.values[4], 1 / std::sqrt(3.0), 1e-6);  // 2 -> 1
  EXPECT_NEAR(in.values[5], 1, 1e-6);                   // 2 -> 2
  const Edges mean(g.in(), {false, EdgeWeights::InverseDegree});
  EXPECT_NEAR(mean.in().values[1], 0.5, 1e-6);
  EXPECT_NEAR(mean.out().values[static_cast<size_t>(mean.out().offsets[2])], 0.5, 1e-6);
}

TEST(Edges, WeightedIsAPropertyOfTheOptionsNotOfTheEdges) {
  const std::vector<int64_t> offsets = {0, 0};
  const Edges none({1, 1, offsets, {}, {}}, {false, EdgeWeights::InverseDegree});
  EXPECT_TRUE(none.weighted());
  EXPECT_EQ(none.count(), 0);
}

TEST(Edges, RefusesWhatIsNotSquare) {
  const std::vector<int64_t> offsets = {0, 0};
  EXPECT_THROW(Edges({1, 2, offsets, {}, {}}, {true, EdgeWeights::None}), Error);
}

TEST(Edges, SourcesAndTargetsMayBeTwoLists) {
  // Two targets; sources 0 and 3 enter the first, source 3 the second.
  const std::vector<int64_t> offsets = {0, 2, 3};
  const Ints sources = {0, 3, 3};
  const SparseView in{2, 4, offsets, sources, {}};
  const Edges edges(in, {false, EdgeWeights::InverseDegree});
  EXPECT_EQ(edges.nodes(), 2);
  EXPECT_EQ(edges.sources(), 4);
  EXPECT_EQ(edges.in().values[0], Real(0.5));
  EXPECT_EQ(edges.in().values[2], Real(1));
  EXPECT_EQ(Ints(edges.out().row(3).begin(), edges.out().row(3).end()), (Ints{0, 1}));
  EXPECT_TRUE(edges.out().row(1).empty());
  EXPECT_THROW(Edges(in, {true, EdgeWeights::None}), Error);
  EXPECT_THROW(Edges(in, {false, EdgeWeights::Symmetric}), Error);
}

TEST(Edges, GivenWeightsAreCarriedToBothEnds) {
  const Triangle g;
  const std::vector<Real> values = {2, 3, 4};
  SparseView in = g.in();
  EXPECT_THROW(Edges(in, {false, EdgeWeights::Given}), Error);
  in.values = values;
  const Edges edges(in, {false, EdgeWeights::Given});
  EXPECT_EQ(edges.in().values[2], 4);
  EXPECT_EQ(edges.out().values[static_cast<size_t>(edges.out().offsets[2])], 4);
}

}  // namespace
}  // namespace graphveil::nn::edges_test
