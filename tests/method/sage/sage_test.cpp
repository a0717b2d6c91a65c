#include "graphveil/method/sage/sage.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

TEST(SageEdp, CostsTheSumOfItsTwoPureLines) {
  const SageEdge sage(true);
  const account::Ledger plan = sage.plan(0.5, bound::Relation::Edge, {});
  EXPECT_NEAR(account::spent_epsilon(plan, 0), 2 + 2.0 / 20, 0.01);
}

TEST(SageNdp, ARecordReachesItsOwnSampleAndThoseOfItsTargets) {
  SageNode sage;
  sage.use_paper_settings();
  const account::Ledger plan = sage.plan(3, bound::Relation::Node, {18939, 14204, 437, 6});
  ASSERT_EQ(plan.events().size(), 2u);
  const auto* group = std::get_if<account::PoissonGroup>(&plan.events()[0].sampling());
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(group->deletions, 101);
  EXPECT_EQ(group->insertions, 100);
}

}  // namespace
}  // namespace graphveil::method
