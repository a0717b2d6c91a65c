#include "graphveil/learn/pretrain_edge.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/learn/small_public_graph.h"

namespace graphveil::learn::pretrain_edge_test {
namespace {

TEST(EdgePrediction, OnAverageEveryEdgeAgainstEveryOtherNode) {
  const SmallGraph small;
  EdgePrediction task(small.backbone, small.view(), Seed::from_number(5));
  const Matrix h = small.embeddings();
  double expected = 0;
  for (int64_t v = 0; v < 7; ++v) {
    for (const int32_t u : small.graph.in(v)) {
      expected += softplus(-dot(h.row(u), h.row(v)));
      for (int64_t w = 0; w < 7; ++w) {
        if (w != v) expected += softplus(dot(h.row(w), h.row(v))) / 6;
      }
    }
  }
  expected /= static_cast<double>(small.graph.edges());

  double sum = 0, squares = 0;
  constexpr int kEpochs = 2000;
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const double loss = small.loss(task, epoch);
    sum += loss;
    squares += loss * loss;
  }
  const double mean = sum / kEpochs, deviation = std::sqrt(squares / kEpochs - mean * mean);
  EXPECT_GT(deviation, 0);
  EXPECT_NEAR(mean, expected, 4 * deviation / std::sqrt(kEpochs));
}

TEST(EdgePrediction, WantsAnEdge) {
  const SmallGraph small;
  const graph::Graph empty = graph::Graph::from_edges(7, {}, {});
  EXPECT_THROW(EdgePrediction(small.backbone, {empty, small.x, small.edges}, Seed::from_number(5)), Error);
}

}  // namespace
}  // namespace graphveil::learn::pretrain_edge_test
