#include "graphveil/method/gap/aggregation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

// 0 -> 1 <- 2, with rows e1, 0, e2.
const graph::Graph kPath = graph::Graph::from_edges(3, std::vector<int32_t>{0, 2}, std::vector<int32_t>{1, 1});

Matrix unit_rows() {
  Matrix rows(3, 2);
  rows(0, 0) = 1;
  rows(2, 1) = 1;
  return rows;
}

TEST(PlainAggregation, SumsAndNormalizesHopByHop) {
  const std::vector<Matrix> hops = plain_aggregation(kPath, unit_rows(), 2);
  ASSERT_EQ(hops.size(), 3u);
  EXPECT_NEAR(hops[1](1, 0), std::sqrt(0.5), 1e-6);  // (1, 1) scaled to norm 1
  EXPECT_NEAR(hops[1](1, 1), std::sqrt(0.5), 1e-6);
  EXPECT_EQ(hops[1](0, 0), 0);  // nobody sends to node 0: a zero row stays zero
  for (Real x : hops[2].values()) EXPECT_EQ(x, 0);
}

TEST(PrivateAggregation, WithLittleNoiseIsThePlainOne) {
  constexpr double kTiny = 1e-5;
  mechanism::Release release(bound::Relation::Edge, {{"pma", account::Gaussian{kTiny}, {}, 1}}, kAnyBudget,
                             Seed::from_number(1));
  const auto hops =
      private_aggregation(kPath, unit_rows(), 1, {.relation = bound::Relation::Edge}, kTiny, "pma", release);
  EXPECT_NEAR(hops[1](1, 0), std::sqrt(0.5), 1e-3);
  EXPECT_TRUE(release.complete());
}

TEST(PrivateAggregation, EveryHopIsChargedAndEveryRowHasNormOne) {
  mechanism::Release release(bound::Relation::Edge, {{"pma", account::Gaussian{3.0}, {}, 3}}, kAnyBudget,
                             Seed::from_number(1));
  const auto hops =
      private_aggregation(kPath, unit_rows(), 3, {.relation = bound::Relation::Edge}, 3.0, "pma", release);
  EXPECT_TRUE(release.complete());
  for (size_t k = 1; k < hops.size(); ++k) {
    for (int64_t v = 0; v < 3; ++v) EXPECT_NEAR(std::hypot(hops[k](v, 0), hops[k](v, 1)), 1, 1e-5);
  }
  EXPECT_THROW(private_aggregation(kPath, unit_rows(), 1, {.relation = bound::Relation::Edge}, 3.0, "pma", release),
               Error);
}

}  // namespace
}  // namespace graphveil::method
