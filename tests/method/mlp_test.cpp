#include "graphveil/method/mlp.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method::mlp_test {
namespace {

TEST(Mlp, ReadsNoEdgeAndCostsNothing) {
  const Mlp mlp;
  EXPECT_TRUE(mlp.plan(1, tiny_setting(bound::Relation::Edge)).empty());
  graph::Dataset without_edges = tiny_data();
  without_edges.graph = graph::Graph::from_edges(tiny_data().nodes(), {}, {});
  const auto run = [&](const graph::Dataset& data) {
    const Task task{
        .data = data, .split = tiny_split(), .relation = bound::Relation::Edge, .seed = Seed::from_number(3)};
    Release release = any_release(bound::Relation::Edge, {});
    return mlp.run(task, release);
  };
  const Output a = run(tiny_data()), b = run(without_edges);
  EXPECT_TRUE(std::ranges::equal(values(a.predictions).values(), values(b.predictions).values()));
}

// Features and labels are private under node: training in the clear is refused there.
TEST(Mlp, RefusesToTrainInTheClearUnderNode) {
  const Mlp mlp;
  for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
    Release release = any_release(relation, {});
    EXPECT_THROW(mlp.run(tiny_task(relation), release), Error);
  }
}

TEST(MlpDp, PlansOneLineOfPoissonSteps) {
  MlpDp method;
  method.use_paper_settings();
  const Plan plan = method.plan(0.6433, {.facts = {18939, 14204, 437, 6}});
  ASSERT_EQ(plan.lines().size(), 1u);
  EXPECT_EQ(plan.lines()[0].event.count(), 554);
  EXPECT_EQ(bound::reads(plan.lines()[0].source()), bound::Reads::OwnRecords);
  // The noise that the reference experiments used for epsilon 8 on Berkeley13.
  EXPECT_NEAR(account::spent_epsilon(plan.ledger(), 1e-5), 8, 0.02);
}

}  // namespace
}  // namespace graphveil::method::mlp_test
