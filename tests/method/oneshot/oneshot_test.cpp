#include "graphveil/method/oneshot/oneshot.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/graph/public_private.h"
#include "tests/method/tiny_task.h"
#include "tests/method/vouched.h"

namespace graphveil::method::oneshot_test {
namespace {

const graph::PublicPrivate& parts() {
  static const graph::PublicPrivate p = graph::split_public_private(
      graph::generate(graph::preset("tiny", 1200), Seed::from_number(1)), {500, 600, 300}, Seed::from_number(2));
  return p;
}

Setting setting(bound::Relation relation = bound::Relation::Node) {
  return {.relation = relation, .facts = {.classes = parts().private_data.classes}};
}

Output run(const OneShot& method, const graph::Dataset& private_data, double noise,
           bound::Relation relation = bound::Relation::Node, Plan* spent = nullptr) {
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  const Task task{.data = private_data,
                  .split = parts().private_split,
                  .relation = relation,
                  .seed = Seed::from_number(3),
                  .public_graph = vouched_graph(unlabeled, parts().public_split)};
  Release release = any_release(relation, method.plan(noise, setting(relation)), 4);
  Output out = method.run(task, release);
  EXPECT_TRUE(release.complete());
  if (spent != nullptr) *spent = release.spent();
  return out;
}

const Matrix& probabilities(const Output& output) { return values(output.predictions); }

double test_accuracy(const Matrix& probabilities) {
  int64_t right = 0;
  for (int32_t v : parts().public_split.test) {
    const auto row = probabilities.row(v);
    right += std::max_element(row.begin(), row.end()) - row.begin() == parts().public_data.labels[v];
  }
  return static_cast<double>(right) / static_cast<double>(parts().public_split.test.size());
}

bool same(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(Real)) == 0;
}

TEST(OneShot, IsOneGaussianOfTheStatedSensitivity) {
  const OneShot method;
  const double classes = parts().private_data.classes;
  for (const bound::Relation relation : {bound::Relation::Node, bound::Relation::Record}) {
    const Plan plan = method.plan(2, setting(relation));
    ASSERT_EQ(plan.lines().size(), 1u);
    EXPECT_EQ(plan.lines()[0].event.mechanism(), account::Mechanism(account::Gaussian{2}));
    EXPECT_EQ(bound::reads(plan.lines()[0].source()), bound::Reads::OwnRecords);
    Plan spent;
    run(method, parts().private_data, 2, relation, &spent);
    EXPECT_EQ(spent, plan);
    EXPECT_DOUBLE_EQ(spent.lines()[0].sensitivity(), std::sqrt(1 - 1 / classes));
    EXPECT_DOUBLE_EQ(mechanism::noise_scale(spent.lines()[0]), 2 * std::sqrt(1 - 1 / classes));
  }
}

TEST(OneShot, TeachesPublicNodesWithoutAPublicLabel) {
  const double little = test_accuracy(probabilities(run(OneShot(), parts().private_data, 0.1)));
  const double much = test_accuracy(probabilities(run(OneShot(), parts().private_data, 1000)));
  EXPECT_GT(little, 0.6);
  EXPECT_GT(little, much + 0.2);
}

TEST(OneShot, ReadsNoPrivateEdge) {
  graph::Dataset lonely = parts().private_data;
  lonely.graph = graph::Graph::from_edges(lonely.nodes(), {}, {});
  EXPECT_TRUE(same(probabilities(run(OneShot(), parts().private_data, 1)), probabilities(run(OneShot(), lonely, 1))));
}

TEST(OneShot, PoolKeepsTestNodesOutOfTraining) {
  OneShot method;
  Options options;
  method.declare(options);
  const Output all = run(method, parts().private_data, 1);
  options.set("relabel", "pool");
  EXPECT_FALSE(same(probabilities(all), probabilities(run(method, parts().private_data, 1))));
}

TEST(OneShot, PredictsTheSameFromItsModel) {
  const OneShot method;
  const Output output = run(method, parts().private_data, 1);
  EXPECT_EQ(audience(output.predictions), Audience::Public);
  const graph::Split nobody;
  const Task task{.data = parts().public_data, .split = nobody, .seed = Seed::from_number(8)};
  EXPECT_TRUE(method.inference_plan(1, setting()).empty());
  Release release = any_release(bound::Relation::Node, {});
  EXPECT_TRUE(same(probabilities(output), values(method.infer(output.model.value(), task, release))));
}

TEST(OneShot, NeedsAPublicGraph) {
  const OneShot method;
  EXPECT_TRUE(method.wants_public_graph());
  EXPECT_TRUE(method.every_degree());
  Task task = tiny_task(bound::Relation::Node);
  task.public_graph.reset();
  Release release = any_release(bound::Relation::Node, method.plan(1, tiny_setting(bound::Relation::Node)));
  EXPECT_THROW(method.run(task, release), Error);
  EXPECT_TRUE(release.spent().empty());
}

}  // namespace
}  // namespace graphveil::method::oneshot_test
