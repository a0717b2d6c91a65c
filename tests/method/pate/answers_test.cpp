#include "graphveil/method/pate/answers.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::method::answers_test {
namespace {

TEST(Answers, QueriesAreDistinctNodesOfThePool) {
  const std::vector<int32_t> pool{1, 3, 5, 7, 9};
  EXPECT_EQ(chosen_queries(pool, 5, Seed::from_number(1)), pool);
  const std::vector<int32_t> some = chosen_queries(pool, 3, Seed::from_number(1));
  ASSERT_EQ(some.size(), 3u);
  for (size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i] % 2, 1);
    if (i > 0) {
      EXPECT_LT(some[i - 1], some[i]);
    }
  }
  EXPECT_THROW(chosen_queries(pool, 6, Seed::from_number(1)), Error);
}

TEST(Answers, AreSharesAboutTheirMeanOrTheClassWithMost) {
  Matrix counts(2, 3);
  std::ranges::copy(std::vector<Real>{6, 3, 0, 1, 1, 7}, counts.values().begin());
  const Answers shares = answers_from_counts(counts.clone(), 5, 10, {4, 9}, VoteTargets::Histogram);
  EXPECT_EQ(shares.queries, (std::vector<int32_t>{4, 9}));
  EXPECT_FLOAT_EQ(shares.targets(0, 0), 0.3F);
  EXPECT_FLOAT_EQ(shares.targets(0, 1), 0);
  EXPECT_FLOAT_EQ(shares.targets(1, 2), 0.4F);
  EXPECT_DOUBLE_EQ(shares.noise_stddev, 0.5);
  const Answers labels = answers_from_counts(counts.clone(), 5, 10, {4, 9}, VoteTargets::Argmax);
  EXPECT_FLOAT_EQ(labels.targets(0, 0), 2.0F / 3);
  EXPECT_FLOAT_EQ(labels.targets(1, 2), 2.0F / 3);
  EXPECT_FLOAT_EQ(labels.targets(1, 0), -1.0F / 3);
}

TEST(Answers, ARidgeHeadTellsThemFromRows) {
  // Rows e_0 and e_1, targets t: (1 + ridge) head = t.
  Matrix nodes(3, 2), targets(2, 2);
  nodes(0, 0) = nodes(2, 1) = 1;
  std::ranges::copy(std::vector<Real>{3, -3, 6, 0}, targets.values().begin());
  const Matrix head = ridge_head({{0, 2}, targets.clone()}, nodes, 2);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t c = 0; c < 2; ++c) EXPECT_NEAR(head(i, c), targets(i, c) / 3, 1e-4);
  }
}

}  // namespace
}  // namespace graphveil::method::answers_test
