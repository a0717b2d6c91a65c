#include "graphveil/learn/pretrain_simgrace.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/learn/small_public_graph.h"

namespace graphveil::learn::pretrain_simgrace_test {
namespace {

TEST(SimGrace, PutsTheWeightsBack) {
  SmallGraph small;
  SimGrace task(small.backbone, small.view(), Seed::from_number(5));
  const Matrix before = small.backbone.parameters().values().clone();
  const double loss = small.loss(task);
  EXPECT_GT(loss, 0);
  EXPECT_NE(loss, small.loss(task, 1)) << "perturbed anew";
  EXPECT_TRUE(std::ranges::equal(small.backbone.parameters().values().values(), before.values()));
}

// Nodes that look alike cannot be told apart: -log(1 / 7).
TEST(SimGrace, OfAlikeNodesIsTheLogarithmOfTheirNumber) {
  SmallGraph small;
  small.graph = graph::Graph::from_edges(7, {}, {});
  small.edges.assign(small.graph.in_view(), edge_options(BackboneKind::Gcn));
  for (int64_t r = 1; r < 7; ++r) std::ranges::copy(small.x.row(0), small.x.row(r).begin());
  SimGrace task(small.backbone, small.view(), Seed::from_number(5));
  EXPECT_NEAR(small.loss(task), std::log(7), 1e-5);
}

}  // namespace
}  // namespace graphveil::learn::pretrain_simgrace_test
