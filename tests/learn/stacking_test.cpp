#include "graphveil/learn/stacking.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/graph/dataset.h"
#include "tests/ranks.h"

namespace graphveil::learn::stacking_test {
namespace {

constexpr int32_t kNodes = 2000;

// One expert is right nine times in ten, the other knows nothing.
struct Experts {
  std::vector<Matrix> scores;
  std::vector<int32_t> labels, nodes;
};

Experts experts() {
  Experts out;
  out.scores.emplace_back(kNodes, 2);
  out.scores.emplace_back(kNodes, 2);
  for (int32_t v = 0; v < kNodes; ++v) {
    out.labels.push_back(v % 2);
    if (v < kNodes / 2) out.nodes.push_back(v);
    out.scores[0](v, v % 2) = v % 20 < 2 ? -1 : 1;
    out.scores[1](v, (v / 2) % 2) = 1;
  }
  return out;
}

double log_likelihood(const Experts& e, const std::vector<double>& w) {
  const Matrix p = stacked(e.scores, w);
  double sum = 0;
  for (const int32_t v : e.nodes) sum += std::log(p(v, e.labels[static_cast<size_t>(v)]));
  return sum;
}

TEST(Stacking, WeighsTheExpertThatKnows) {
  const Experts e = experts();
  const std::vector<double> w = stack_weights(e.scores, e.labels, e.nodes);
  // Right nine times in ten, with scores 1 and -1 against 0: the likeliest weight is ln 9, the ridge takes little.
  EXPECT_NEAR(w[0], std::log(9), 0.1);
  EXPECT_NEAR(w[1], 0, 0.1);
}

// Ranks that have some of the nodes each, one of them maybe none, find the weights of one process.
TEST(Stacking, RanksFindTheSameWeights) {
  Experts e = experts();
  for (size_t v = 0; v < e.labels.size(); v += 7) e.labels[v] = graph::kUnlabeled;
  const std::vector<double> want = stack_weights(e.scores, e.labels, e.nodes);
  for (const std::vector<size_t>& cuts : {std::vector<size_t>{0, 1000}, {0, 300, 1000}, {0, 0, 999, 1000}}) {
    tests::on_ranks(static_cast<int>(cuts.size()) - 1, [&](Ranks& ranks) {
      const auto r = static_cast<size_t>(ranks.rank());
      const std::span<const int32_t> own = std::span(e.nodes).subspan(cuts[r], cuts[r + 1] - cuts[r]);
      EXPECT_EQ(stack_weights(e.scores, e.labels, own, &ranks), want);
    });
  }
}

TEST(Stacking, NoOtherWeightsAreLikelier) {
  const Experts e = experts();
  const std::vector<double> w = stack_weights(e.scores, e.labels, e.nodes);
  for (const auto& [a, b] : {std::pair(0.5, 0.0), std::pair(-0.5, 0.0), std::pair(0.0, 0.5), std::pair(0.0, -0.5)}) {
    EXPECT_GT(log_likelihood(e, w), log_likelihood(e, {w[0] + a, w[1] + b}));
  }
}

TEST(Stacking, NodesWithoutALabelCountForNothing) {
  Experts e = experts();
  const std::vector<double> want = stack_weights(e.scores, e.labels, e.nodes);
  e.nodes.push_back(kNodes - 1);
  e.labels.back() = graph::kUnlabeled;
  const std::vector<double> w = stack_weights(e.scores, e.labels, e.nodes);
  for (size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i], want[i], 1e-2);
}

TEST(Stacking, GivesProbabilities) {
  const Experts e = experts();
  const Matrix p = stacked(e.scores, std::vector<double>{200, -3});
  for (int64_t v = 0; v < p.rows(); ++v) EXPECT_NEAR(p(v, 0) + p(v, 1), 1, 1e-5);
}

}  // namespace
}  // namespace graphveil::learn::stacking_test
