#include "graphveil/graph/alias_table.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::graph::alias_table_test {
namespace {

TEST(AliasTable, FrequenciesFollowTheWeights) {
  const std::vector<double> weights{5, 0, 1, 3, 0.5, 0.5};
  const AliasTable table(weights);
  EXPECT_DOUBLE_EQ(table.total(), 10);
  RandomStream random(Seed::from_number(5), "alias");
  constexpr int kDraws = 200000;
  std::vector<int> counts(weights.size(), 0);
  for (int i = 0; i < kDraws; ++i) ++counts[table.draw(random)];
  for (size_t i = 0; i < weights.size(); ++i) {
    const double p = weights[i] / 10;
    EXPECT_NEAR(counts[i], p * kDraws, 5 * std::sqrt(kDraws * p * (1 - p))) << i;
  }
  EXPECT_EQ(counts[1], 0);
}

TEST(AliasTable, BadWeightsAreRefused) {
  EXPECT_THROW(AliasTable(std::vector<double>{}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{0, 0}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{1, -1}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{1, NAN}), Error);
}

}  // namespace
}  // namespace graphveil::graph::alias_table_test
