#include "tests/reference/rooted_batch.h"

#include <set>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"
#include "graphveil/bound/out_degree.h"

namespace graphveil::nn::rooted_batch_test {
namespace {

using Ints = std::vector<int32_t>;

// 3 -> 2 -> 1 -> 0, and 2 -> 0.
graph::Graph chain() { return graph::Graph::from_edges(5, Ints{3, 2, 1, 2}, Ints{2, 1, 0, 0}); }

Ints list(std::span<const int32_t> s) { return {s.begin(), s.end()}; }

TEST(RootedBatch, HoldsWhatTheRootReads) {
  const graph::Graph g = chain();
  RootedBatch batch(g, 2, {});
  batch.assign(Ints{0, 4});
  EXPECT_EQ(batch.samples(), 2);
  EXPECT_EQ(list(batch.nodes()), (Ints{0, 1, 2, 3, 4}));
  EXPECT_EQ(list(batch.owners()), (Ints{0, 0, 0, 0, 1}));
  EXPECT_EQ(list(batch.root_rows()), (Ints{0, 4}));
  // 1 -> 0, 2 -> 0, 2 -> 1 and 3 -> 2, all into nodes at distance below 2.
  EXPECT_EQ(batch.edges().count(), 4);
}

TEST(RootedBatch, NodesAtTheLastDistanceReadNobody) {
  const graph::Graph g = chain();
  RootedBatch batch(g, 1, {});
  batch.assign(Ints{0});
  EXPECT_EQ(list(batch.nodes()), (Ints{0, 1, 2}));
  EXPECT_EQ(batch.edges().count(), 2) << "2 -> 1 and 3 -> 2 belong to the second hop";
}

TEST(RootedBatch, ANodeInSeveralSamplesHasSeveralRows) {
  const graph::Graph g = chain();
  RootedBatch batch(g, 1, {true, EdgeWeights::InverseDegree});
  batch.assign(Ints{1, 0, 1});
  EXPECT_EQ(list(batch.nodes()), (Ints{1, 2, 0, 1, 2, 1, 2}));
  EXPECT_EQ(list(batch.owners()), (Ints{0, 0, 1, 1, 1, 2, 2}));
  EXPECT_EQ(list(batch.root_rows()), (Ints{0, 2, 5}));
  const SparseView in = batch.edges().in();
  for (int64_t v = 0; v < in.rows; ++v) {
    for (const int32_t u : in.row(v)) EXPECT_EQ(batch.owners()[u], batch.owners()[v]);
  }
}

TEST(RootedBatch, ZeroHopsAndNoRoots) {
  const graph::Graph g = chain();
  RootedBatch batch(g, 0, {});
  batch.assign(Ints{3, 1});
  EXPECT_EQ(batch.rows(), 2);
  EXPECT_EQ(batch.edges().count(), 0);
  batch.assign({});
  EXPECT_EQ(batch.samples(), 0);
  EXPECT_EQ(batch.rows(), 0);
  EXPECT_THROW(batch.assign(Ints{5}), Error);
}

// With out-degrees at most K a node is in at most 1 + K + ... + K^r samples: the number the accountant is told.
TEST(RootedBatch, ANodeIsInAtMostAsManySamplesAsStated) {
  RandomStream random(Seed::from_number(1), "rooted");
  Ints sources, targets, all;
  for (int e = 0; e < 600; ++e) {
    sources.push_back(static_cast<int32_t>(random.below(60)));
    targets.push_back(static_cast<int32_t>(random.below(60)));
  }
  const bound::BoundedGraph bounded =
      bound::bound_out_degree(graph::Graph::from_edges(60, sources, targets), 3, Seed::from_number(2));
  for (int32_t v = 0; v < 60; ++v) all.push_back(v);
  for (const int64_t hops : {1, 2}) {
    RootedBatch batch(bounded.graph(), hops, {});
    batch.assign(all);
    std::vector<std::set<int32_t>> samples_of(60);
    for (int64_t r = 0; r < batch.rows(); ++r) samples_of[batch.nodes()[r]].insert(batch.owners()[r]);
    for (const auto& samples : samples_of) {
      EXPECT_LE(samples.size(), hops == 1 ? 4u : 13u);
      EXPECT_LE(static_cast<int64_t>(samples.size()), bounded.draw(1, hops).deletions);
    }
  }
}

}  // namespace
}  // namespace graphveil::nn::rooted_batch_test
