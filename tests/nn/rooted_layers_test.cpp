#include "graphveil/nn/rooted_layers.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"
#include "tests/reference/rooted_batch.h"

namespace graphveil::nn::rooted_layers_test {
namespace {

using Ints = std::vector<int32_t>;

Ints list(std::span<const int32_t> s) { return {s.begin(), s.end()}; }

// 3 -> 2 -> 1 -> 0, and 2 -> 0.
graph::Graph chain() { return graph::Graph::from_edges(5, Ints{3, 2, 1, 2}, Ints{2, 1, 0, 0}); }

TEST(RootedLayers, EachLayerComputesWhatTheNextReads) {
  const graph::Graph g = chain();
  RootedLayers samples(g, 2, {true, EdgeWeights::InverseDegree});
  samples.assign(Ints{0, 4});
  EXPECT_EQ(list(samples.nodes()), (Ints{0, 1, 2, 3, 4}));
  EXPECT_EQ(list(samples.owners()), (Ints{0, 0, 0, 0, 1}));

  const Hop first = samples.hop(0);  // reads 0 1 2 3 | 4, computes 0 1 2 | 4
  EXPECT_EQ(first.edges->sources(), 5);
  EXPECT_EQ(first.edges->nodes(), 4);
  EXPECT_EQ(list(first.own), (Ints{0, 1, 2, 4}));
  EXPECT_EQ(list(first.owners), (Ints{0, 0, 0, 1}));
  EXPECT_EQ(list(first.edges->in().row(1)), (Ints{1, 2}));
  EXPECT_EQ(list(first.edges->in().row(2)), (Ints{2, 3}));
  EXPECT_EQ(list(first.edges->in().row(3)), (Ints{4}));

  const Hop second = samples.hop(1);  // reads 0 1 2 | 4, computes 0 | 4
  EXPECT_EQ(second.edges->sources(), 4);
  EXPECT_EQ(list(second.own), (Ints{0, 3}));
  EXPECT_EQ(list(second.owners), (Ints{0, 1}));
  EXPECT_EQ(list(second.edges->in().row(0)), (Ints{0, 1, 2}));
  EXPECT_EQ(second.edges->in().values[0], Real(1) / 3);
}

// The same nodes and as many edges as the samples that hold everything, on random graphs.
TEST(RootedLayers, HoldsTheSameSamplesAsRootedBatch) {
  RandomStream random(Seed::from_number(4), "graph");
  Ints sources, targets, roots;
  for (int e = 0; e < 150; ++e) {
    sources.push_back(static_cast<int32_t>(random.below(50)));
    targets.push_back(static_cast<int32_t>(random.below(50)));
  }
  const graph::Graph g = graph::Graph::from_edges(50, sources, targets);
  for (int32_t v = 0; v < 50; v += 3) roots.push_back(v);
  for (const int64_t hops : {1, 2, 3}) {
    RootedLayers samples(g, hops, {});
    RootedBatch batch(g, hops, {});
    samples.assign(Ints{7});  // memory of an earlier batch is reused
    samples.assign(roots);
    batch.assign(roots);
    EXPECT_EQ(list(samples.nodes()), list(batch.nodes()));
    EXPECT_EQ(list(samples.owners()), list(batch.owners()));
    EXPECT_EQ(samples.hop(0).edges->count(), batch.edges().count());
  }
}

TEST(RootedLayers, RefusesWhatItCannotHold) {
  const graph::Graph g = chain();
  EXPECT_THROW(RootedLayers(g, 0, {}), Error);
  EXPECT_THROW(RootedLayers(g, 1, {true, EdgeWeights::Symmetric}), Error);
  RootedLayers samples(g, 1, {});
  EXPECT_THROW(samples.assign(Ints{5}), Error);
  samples.assign({});
  EXPECT_EQ(samples.samples(), 0);
  EXPECT_EQ(samples.hop(0).edges->count(), 0);
}

}  // namespace
}  // namespace graphveil::nn::rooted_layers_test
