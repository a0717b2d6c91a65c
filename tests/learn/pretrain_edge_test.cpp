#include "graphveil/learn/pretrain_edge.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/learn/small_public_graph.h"

namespace graphveil::learn::pretrain_edge_test {
namespace {

TEST(EdgePrediction, HiddenEdgesAgainstDrawnPairsSeenWithoutThem) {
  const SmallGraph small;
  const Seed seed = Seed::from_number(5);
  EdgePrediction task(small.backbone, small.view(), seed);
  RandomStream random(seed, "edge prediction");
  for (const int64_t epoch : {3, 4}) {
    random.seek(static_cast<uint64_t>(epoch) + 1);
    const uint64_t salt = random.below(uint64_t{1} << 62);
    std::vector<int32_t> from, to;
    std::vector<std::pair<int32_t, int32_t>> hidden;
    for (int32_t v = 0; v < 7; ++v) {
      for (const int32_t u : small.graph.in(v)) {
        EXPECT_EQ(EdgePrediction::hides(salt, u, v), EdgePrediction::hides(salt, v, u));
        if (EdgePrediction::hides(salt, u, v)) {
          hidden.emplace_back(u, v);
        } else {
          from.push_back(u);
          to.push_back(v);
        }
      }
    }
    ASSERT_FALSE(hidden.empty() || from.empty()) << "take another epoch";
    const graph::Graph rest = graph::Graph::from_edges(7, from, to);
    const Matrix h = small.backbone.embed(small.x, nn::Edges(rest.in_view(), edge_options(BackboneKind::Gcn)));
    const auto cosine = [&](int64_t a, int64_t b) {
      return dot(h.row(a), h.row(b)) / std::sqrt(dot(h.row(a), h.row(a)) * dot(h.row(b), h.row(b)));
    };
    random.sample_without_replacement(std::ssize(hidden), std::ssize(hidden));
    double expected = 0;
    for (const auto& [u, v] : hidden) {
      const int64_t w = (v + 1 + static_cast<int64_t>(random.below(6))) % 7;
      expected += softplus(-2 * (cosine(u, v) - cosine(w, v))) / static_cast<double>(hidden.size());
    }
    EXPECT_NEAR(small.loss(task, epoch), expected, 1e-5);
  }
}

TEST(EdgePrediction, AboutHalfOfThePairsAreHiddenAndOthersNextTime) {
  int hidden = 0, changed = 0;
  for (int32_t v = 0; v < 2000; ++v) {
    hidden += EdgePrediction::hides(1, v, v + 1) ? 1 : 0;
    changed += EdgePrediction::hides(1, v, v + 1) != EdgePrediction::hides(2, v, v + 1) ? 1 : 0;
  }
  EXPECT_NEAR(hidden, 1000, 100);
  EXPECT_NEAR(changed, 1000, 100);
}

TEST(EdgePrediction, JudgesASingleEdgeEvenWhenTheCoinShowsIt) {
  const SmallGraph small;
  const graph::Graph one = graph::Graph::from_undirected_edges(7, std::vector<int32_t>{0}, std::vector<int32_t>{1});
  EdgePrediction task(small.backbone, {one, small.x, small.edges}, Seed::from_number(5));
  for (int64_t epoch = 0; epoch < 8; ++epoch) EXPECT_TRUE(std::isfinite(small.loss(task, epoch)));
}

TEST(EdgePrediction, WantsAnEdge) {
  const SmallGraph small;
  const graph::Graph empty = graph::Graph::from_edges(7, {}, {});
  EXPECT_THROW(EdgePrediction(small.backbone, {empty, small.x, small.edges}, Seed::from_number(5)), Error);
}

}  // namespace
}  // namespace graphveil::learn::pretrain_edge_test
