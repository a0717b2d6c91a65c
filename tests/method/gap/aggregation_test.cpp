#include "graphveil/method/gap/aggregation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::aggregation_test {
namespace {

// 0 -> 1 <- 2, with rows e1, 0, e2.
const graph::Graph kPath = graph::Graph::from_edges(3, std::vector<int32_t>{0, 2}, std::vector<int32_t>{1, 1});

Matrix unit_rows() {
  Matrix rows(3, 2);
  rows(0, 0) = 1;
  rows(2, 1) = 1;
  return rows;
}

Plan pma(double noise, int64_t hops) {
  return {{account::Event("pma", account::Gaussian{noise}, {}, hops),
           bound::neighbor_sum_bound({.relation = bound::Relation::Edge})}};
}

std::vector<Matrix> aggregated(Release& release) {
  return private_aggregation(kPath, unit_rows(), {.relation = bound::Relation::Edge}, "pma", release);
}

TEST(PrivateAggregation, InTheClearSumsAndNormalizesHopByHop) {
  Release release = Release::clear(bound::Relation::Edge, pma(0, 2));
  const std::vector<Matrix> hops = aggregated(release);
  ASSERT_EQ(hops.size(), 2u) << "as many as the plan says";
  EXPECT_NEAR(hops[0](1, 0), std::sqrt(0.5), 1e-5);  // (1, 1) scaled to norm 1
  EXPECT_NEAR(hops[0](1, 1), std::sqrt(0.5), 1e-5);
  EXPECT_EQ(hops[0](0, 0), 0);  // nobody sends to node 0: a zero row stays zero
  for (Real x : hops[1].values()) EXPECT_EQ(x, 0);
}

TEST(PrivateAggregation, WithLittleNoiseIsThePlainOne) {
  Release release = any_release(bound::Relation::Edge, pma(1e-5, 1));
  EXPECT_NEAR(aggregated(release)[0](1, 0), std::sqrt(0.5), 1e-3);
  EXPECT_TRUE(release.complete());
}

TEST(PrivateAggregation, EveryHopIsChargedAndEveryRowHasNormOne) {
  Release release = any_release(bound::Relation::Edge, pma(3, 3));
  const auto hops = aggregated(release);
  EXPECT_TRUE(release.complete());
  ASSERT_EQ(hops.size(), 3u);
  for (const Matrix& hop : hops) {
    for (int64_t v = 0; v < 3; ++v) EXPECT_NEAR(std::hypot(hop(v, 0), hop(v, 1)), 1, 1e-5);
  }
  EXPECT_THROW(aggregated(release), Error);
}

}  // namespace
}  // namespace graphveil::method::aggregation_test
