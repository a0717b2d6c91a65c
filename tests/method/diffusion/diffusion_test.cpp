#include "graphveil/method/diffusion/diffusion.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::diffusion_test {
namespace {

TEST(Diffusion, StepsShareTheBudget) {
  const Setting setting = tiny_setting(bound::Relation::Edge);
  Diffusion diffusion;
  const Plan two = diffusion.plan(3, setting);
  Options options;
  diffusion.declare(options);
  options.set("hops", "1");
  const Plan one = diffusion.plan(3, setting);
  EXPECT_EQ(two.lines()[0].event.count(), 2);
  EXPECT_NEAR(mechanism::noise_scale(two.lines()[0]), std::sqrt(2.0) * mechanism::noise_scale(one.lines()[0]), 1e-12);
  const double classes = tiny_data().classes;
  EXPECT_NEAR(one.lines()[0].sensitivity(), std::sqrt(1 - 1 / classes), 1e-12);
  const Plan undirected = diffusion.plan(3, tiny_setting(bound::Relation::UndirectedEdge));
  EXPECT_NEAR(undirected.lines()[0].sensitivity(), std::sqrt(2 * (1 - 1 / classes)), 1e-12);
}

// Where neighbors are alike the graph must add to what features say; and another graph is predicted by the same model.
TEST(Diffusion, LearnsFromNeighborsAndPredictsOnAnotherGraph) {
  const Diffusion diffusion;
  const Plan plan = diffusion.plan(0.1, tiny_setting(bound::Relation::Edge));
  Release release = any_release(bound::Relation::Edge, plan), again = any_release(bound::Relation::Edge, plan, 10);
  const Task task = tiny_task(bound::Relation::Edge);
  const Output output = diffusion.run(task, release);
  EXPECT_GT(accuracy_on(values(output.predictions), tiny_split().test), 0.7);
  const Predictions inferred = diffusion.infer(output.model.value(), task, again);
  EXPECT_GT(accuracy_on(values(inferred), tiny_split().test), 0.7);
  EXPECT_EQ(audience(inferred), Audience::Public);
  EXPECT_TRUE(release.complete() && again.complete());
}

}  // namespace
}  // namespace graphveil::method::diffusion_test
