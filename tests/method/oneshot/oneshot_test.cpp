#include "graphveil/method/oneshot/oneshot.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/graph/public_private.h"
#include "tests/method/tiny_task.h"

namespace graphveil::method {
namespace {

const graph::PublicPrivate& parts() {
  static const graph::PublicPrivate p = graph::split_public_private(
      graph::generate(graph::preset("tiny", 1200), Seed::from_number(1)), {500, 600, 300}, Seed::from_number(2));
  return p;
}

Released run(const OneShot& method, const graph::Dataset& private_data, double noise,
             std::vector<mechanism::SpentLine>* spent = nullptr) {
  const graph::Dataset unlabeled = graph::without_labels(parts().public_data);
  Task task{private_data, parts().private_split, bound::Relation::Node, Seed::from_number(3), std::nullopt};
  task.public_data = &unlabeled;
  task.public_split = &parts().public_split;
  mechanism::Release release(bound::Relation::Node, method.plan(noise, bound::Relation::Node, {}), kAnyBudget,
                             Seed::from_number(4));
  Released out = method.run(task, noise, &release);
  EXPECT_TRUE(release.complete());
  if (spent != nullptr) *spent = release.spent_lines();
  return out;
}

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
  const account::Ledger plan = method.plan(2, bound::Relation::Node, {});
  ASSERT_EQ(plan.events().size(), 1u);
  EXPECT_EQ(plan.events()[0].mechanism(), account::Mechanism(account::Gaussian{2}));
  std::vector<mechanism::SpentLine> spent;
  run(method, parts().private_data, 2, &spent);
  ASSERT_EQ(spent.size(), 1u);
  const double classes = parts().private_data.classes;
  EXPECT_DOUBLE_EQ(spent[0].sensitivity, std::sqrt(1 - 1 / classes));
  EXPECT_DOUBLE_EQ(spent[0].noise_scale, 2 * std::sqrt(1 - 1 / classes));
}

TEST(OneShot, TeachesPublicNodesWithoutAPublicLabel) {
  const double little = test_accuracy(run(OneShot(), parts().private_data, 0.1).probabilities);
  const double much = test_accuracy(run(OneShot(), parts().private_data, 1000).probabilities);
  EXPECT_GT(little, 0.6);
  EXPECT_GT(little, much + 0.2);
}

TEST(OneShot, ReadsNoPrivateEdge) {
  graph::Dataset lonely = parts().private_data;
  lonely.graph = graph::Graph::from_edges(lonely.nodes(), {}, {});
  EXPECT_TRUE(same(run(OneShot(), parts().private_data, 1).probabilities, run(OneShot(), lonely, 1).probabilities));
}

TEST(OneShot, PoolKeepsTestNodesOutOfTraining) {
  OneShot method;
  Options options;
  method.declare(options);
  const Matrix all = run(method, parts().private_data, 1).probabilities;
  options.set("relabel", "pool");
  EXPECT_FALSE(same(all, run(method, parts().private_data, 1).probabilities));
}

TEST(OneShot, PredictsTheSameFromItsModel) {
  const OneShot method;
  const Released released = run(method, parts().private_data, 1);
  const graph::Split nobody;
  const Task task{parts().public_data, nobody, bound::Relation::Node, Seed::from_number(8), std::nullopt};
  EXPECT_TRUE(method.inference_plan(1, bound::Relation::Node).empty());
  EXPECT_TRUE(same(released.probabilities, method.infer(released.model, task, 1, nullptr)));
}

TEST(OneShot, NeedsAPublicGraph) {
  const OneShot method;
  EXPECT_TRUE(method.wants_public_graph());
  EXPECT_EQ(method.remarks(bound::Relation::Node).size(), 1u);
  mechanism::Release release(bound::Relation::Node, method.plan(1, bound::Relation::Node, {}), kAnyBudget,
                             Seed::from_number(4));
  Task task = tiny_task(bound::Relation::Node);
  task.public_data = nullptr;
  EXPECT_THROW(method.run(task, 1, &release), Error);
}

}  // namespace
}  // namespace graphveil::method
