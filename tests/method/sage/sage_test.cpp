#include "graphveil/method/sage/sage.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::sage_test {
namespace {

TEST(SageEdp, CostsTheSumOfItsTwoPureLines) {
  const SageEdge sage(true);
  const Plan plan = sage.plan(0.5, {.relation = bound::Relation::Edge, .facts = {}});
  EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 0), 2 + 2.0 / 20, 0.01);
}

// Two nodes have one undirected pair, a node alone has none: one edge is then more than half of all pairs.
TEST(SageEdp, TheShareOfEdgesIsAShareOnAnyNumberOfPairs) {
  for (const double count : {-7.0, 0.0, 1.0, 3.0, 1e9}) {
    for (const double pairs : {0.0, 1.0}) EXPECT_EQ(edge_share(count, pairs), 0.5) << count << " of " << pairs;
  }
  EXPECT_EQ(edge_share(-7, 2), 0.5);
  EXPECT_EQ(edge_share(-7, 10), 0.1);
  EXPECT_EQ(edge_share(3, 10), 0.3);
  EXPECT_EQ(edge_share(9, 10), 0.5);
}

TEST(SageNdp, ARecordReachesItsOwnSampleAndThoseOfItsTargets) {
  SageNode sage;
  sage.use_paper_settings();
  for (const bound::Relation relation : {bound::Relation::Record, bound::Relation::Node}) {
    // Under record --max-degree says how many, 100 in the paper; under node the protected degree does.
    const int64_t degree = relation == bound::Relation::Record ? 100 : 25;
    const Plan plan = sage.plan(3, {relation, 25, {18939, 14204, 437, 6}});
    ASSERT_EQ(plan.lines().size(), 2u);
    const auto* group = std::get_if<account::PoissonGroup>(&plan.lines()[0].event.sampling());
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->deletions, degree + 1);
    EXPECT_EQ(group->insertions, degree);
    EXPECT_DOUBLE_EQ(plan.lines()[1].sensitivity(), std::sqrt(static_cast<double>(degree)));
    EXPECT_EQ(bound::reads(plan.lines()[0].source()), bound::Reads::OneHop);
    EXPECT_EQ(bound::reads(plan.lines()[1].source()), bound::Reads::NeighborSum);
  }
}

// As in GAP's program: both noises are the same multiple of their sensitivities, 2 (D + 1) C and sqrt(D).
TEST(SageNdp, ThePaperMeasuresNoiseBySensitivity) {
  SageNode sage;
  sage.use_paper_settings();
  EXPECT_EQ(sage.variant(), "");
  const Setting setting{bound::Relation::Record, 100, {20000, 15000, 500, 6, 0}, 8, 1e-5};
  const Plan plan = sage.plan(404, setting);
  EXPECT_DOUBLE_EQ(mechanism::noise_scale(plan.line("aggregation")), 2 * std::sqrt(100.0));
  const std::optional<Published> published = sage.published(8, 1e-5, setting);
  ASSERT_TRUE(published.has_value());
  EXPECT_FALSE(published->reasons.empty());
  EXPECT_GT(published->noise, 100);
  EXPECT_LT(published->noise, 200);
  EXPECT_FALSE(sage.published(8, 1e-5, {bound::Relation::Node, 100, setting.facts, 8, 1e-5}).has_value());
  EXPECT_NE(SageNode().variant(), "");
}

}  // namespace
}  // namespace graphveil::method::sage_test
