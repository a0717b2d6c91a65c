#include "graphveil/method/mlp.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

TEST(Mlp, ReadsNoEdgeAndCostsNothing) {
  Mlp mlp;
  EXPECT_TRUE(mlp.plan(1, bound::Relation::Edge, tiny_facts()).empty());
  graph::Dataset without_edges = tiny_data();
  without_edges.graph = graph::Graph::from_edges(tiny_data().nodes(), {}, {});
  const Task task{without_edges, tiny_split(), bound::Relation::Edge, Seed::from_number(3), std::nullopt};
  const Released a = mlp.run(tiny_task(bound::Relation::Edge), 0, nullptr), b = mlp.run(task, 0, nullptr);
  for (int64_t i = 0; i < a.probabilities.size(); ++i) EXPECT_EQ(a.probabilities.data()[i], b.probabilities.data()[i]);
}

TEST(MlpDp, PlansOneLineOfPoissonSteps) {
  MlpDp method;
  method.use_paper_settings();
  const account::Ledger plan = method.plan(0.6433, bound::Relation::Node, {18939, 14204, 437, 6});
  ASSERT_EQ(plan.events().size(), 1u);
  EXPECT_EQ(plan.events()[0].count(), 554);
  // The noise that the reference experiments used for epsilon 8 on Berkeley13.
  EXPECT_NEAR(account::spent_epsilon(plan, 1e-5), 8, 0.02);
}

}  // namespace
}  // namespace graphveil::method
