#include "graphveil/learn/edge_pairs.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::learn::edge_pairs_test {
namespace {

double loss_of(EdgePairs& pairs, const Matrix& h, int64_t epoch) {
  nn::Tape tape(Seed::from_number(1));
  pairs.draw(epoch);
  tape.start();
  return pairs.loss(tape.input(h)).value()(0, 0);
}

// Two pairs of friends far from each other, with embeddings that say so: an edge costs log(1 + e^-4), another node
// log(1 + e^4) when it is the friend, and log(1 + e^-4) when it is one of the two others.
TEST(EdgePairs, CostLittleWhereEmbeddingsTellThem) {
  const std::vector<int32_t> from{0, 1, 2, 3}, to{1, 0, 3, 2};
  const graph::Graph graph = graph::Graph::from_edges(4, from, to);
  Matrix h(4, 1);
  std::ranges::copy(std::vector<Real>{2, 2, -2, -2}, h.values().begin());
  EdgePairs pairs(graph, Seed::from_number(3));
  const double near = std::log1p(std::exp(-4.0)), far = std::log1p(std::exp(4.0));
  double sum = 0;
  constexpr int kEpochs = 3000;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const double loss = loss_of(pairs, h, epoch);
    // Of four pairs drawn beside the edges 0 to 4 are friends.
    const double friends = (loss - 2 * near) / (far - near) * 4;
    EXPECT_NEAR(friends, std::round(friends), 1e-4);
    sum += loss;
  }
  EXPECT_NEAR(sum / kEpochs, near + far / 3 + 2 * near / 3, 0.05);
  EXPECT_EQ(loss_of(pairs, h, 7), loss_of(pairs, h, 7));
  std::ranges::copy(std::vector<Real>{2, -2, 2, -2}, h.values().begin());
  EXPECT_GT(loss_of(pairs, h, 7), far);
}

TEST(EdgePairs, WantAnEdge) {
  EXPECT_THROW(EdgePairs(graph::Graph::from_edges(3, {}, {}), Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::learn::edge_pairs_test
