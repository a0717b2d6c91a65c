#include "graphveil/attack/links.h"

#include <gtest/gtest.h>

#include "tests/run/small_run.h"

namespace graphveil::attack::links_test {
namespace {

const LinkOptions kQuick{.pairs = 400, .sources = 40, .repeats = 1, .seed = Seed::from_number(1)};

TEST(Links, Correlation) {
  const std::vector<Real> a{1, 2, 3}, b{2, 4, 6}, c{3, 2, 1}, d{1, 1, 1};
  EXPECT_NEAR(correlation(a, b), 1, 1e-9);
  EXPECT_NEAR(correlation(a, c), -1, 1e-9);
  EXPECT_EQ(correlation(a, d), 0);
}

TEST(Links, InfluenceFindsEdgesThatAModelReads) {
  const graph::Dataset data = graph::generate(graph::preset("tiny", 200), Seed::from_number(1));
  const LinkResult open = link_attack(*run::quick("gap-inf", {{"hops", "1"}}), data, kQuick);
  EXPECT_GT(open.influence.auc.mean, 0.9);
  EXPECT_GT(open.similarity.auc.mean, 0.55);
  // Without an edge read, nothing but the labels speaks.
  const LinkResult blind = link_attack(*run::quick("mlp"), data, kQuick);
  EXPECT_NEAR(blind.influence.auc.mean, 0.5, 0.02);
  EXPECT_NEAR(blind.similarity_within_class.auc.mean, 0.5, 0.12);
  const LinkResult hidden = link_attack(*run::quick("gap-edp", {{"hops", "1"}, {"epsilon", "0.5"}}), data, kQuick);
  EXPECT_NEAR(hidden.influence.auc.mean, 0.5, 0.08);
}

}  // namespace
}  // namespace graphveil::attack::links_test
