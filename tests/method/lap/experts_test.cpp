#include "graphveil/method/lap/experts.h"

#include <gtest/gtest.h>

#include "tests/method/tiny_task.h"

namespace graphveil::method::experts_test {
namespace {

// The neighbors of every node by their true class, and no noise.
Counts true_counts() {
  Counts counts{IntegerMatrix<int64_t>(tiny_data().nodes(), tiny_data().classes), 0};
  for (int64_t v = 0; v < tiny_data().nodes(); ++v) {
    for (const int32_t u : tiny_data().graph.in(v)) ++counts.noisy(v, tiny_data().labels[u]);
  }
  return counts;
}

class LapExperts : public testing::Test {
 protected:
  Task task = tiny_task(bound::Relation::Edge);
  Release release = Release::clear(bound::Relation::Edge, {});
  SoftmaxOptions options;
  TrainingNodes training{task};
  Fitting f{task, training, release, options};
  Counts counts = true_counts();
};

TEST_F(LapExperts, KnowMoreThanGuessing) {
  const double chance = 1.0 / tiny_data().classes;
  for (const Expert& e : {features_expert(f), likelihood_expert(f, counts), shares_expert(f, counts),
                          mlp_expert(f, features_expert(f), counts), log_counts_expert(f, counts, true),
                          log_counts_expert(f, counts, false)}) {
    EXPECT_GT(accuracy_on(e.scores, tiny_split().test), 1.5 * chance);
    EXPECT_GT(accuracy_on(e.held_out, tiny_split().train), 1.5 * chance);
  }
}

// A node's held-out score must not know its label: labels that say nothing leave it at chance.
TEST_F(LapExperts, HeldOutScoresHaveNotSeenTheLabel) {
  graph::Dataset data = tiny_data();
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  RandomStream(Seed::from_number(4), "shuffle").shuffle(std::span<int32_t>(labels));
  data.labels = SharedArray<int32_t>(std::vector<int32_t>(labels));
  const Task shuffled{.data = data, .split = tiny_split(), .relation = task.relation, .seed = task.seed};
  const Expert e = log_counts_expert({shuffled, TrainingNodes(shuffled), release, options}, counts, true);
  int64_t right = 0;
  for (const int32_t v : tiny_split().train) {
    const auto row = e.held_out.row(v);
    right += std::max_element(row.begin(), row.end()) - row.begin() == labels[static_cast<size_t>(v)];
  }
  const double share = static_cast<double>(right) / static_cast<double>(tiny_split().train.size());
  EXPECT_LT(share, 1.0 / tiny_data().classes + 0.15);
}

TEST_F(LapExperts, SavedOnesScoreAlike) {
  const Expert features = features_expert(f), likelihood = likelihood_expert(f, counts),
               both = shares_expert(f, counts);
  const auto expect_near = [](const Matrix& a, const Matrix& b) {
    for (int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-3);
  };
  expect_near(apply_features(features.saved, task, options), features.scores);
  expect_near(apply_likelihood(likelihood.saved, task, counts), likelihood.scores);
  expect_near(apply_shares(both.saved, task, counts, options), both.scores);
  // On nodes that do not train the features' scores are what the MLP has read in training too.
  const Expert mlp = mlp_expert(f, features, counts);
  const Matrix again = apply_mlp(mlp.saved, task, features.scores, counts);
  for (const int32_t v : tiny_split().test) {
    for (int64_t c = 0; c < again.cols(); ++c) EXPECT_NEAR(again(v, c), mlp.scores(v, c), 1e-3);
  }
}

TEST_F(LapExperts, TogetherAreAtLeastAsGoodAsTheBestOnHeldOutNodes) {
  std::vector<Expert> experts;
  experts.push_back(features_expert(f));
  experts.push_back(shares_expert(f, counts));
  const std::vector<double> weights = weights_of(f, experts);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_GT(weights[1], 0);
  EXPECT_GT(accuracy_on(combined(experts, weights), tiny_split().test) + 0.03,
            accuracy_on(experts[0].scores, tiny_split().test));
}

TEST_F(LapExperts, AFewLabelsTakeTheWeightsAsTheyAre) {
  graph::Split few = tiny_split();
  few.train.resize(3);
  const Task small{.data = tiny_data(), .split = few, .relation = task.relation, .seed = task.seed};
  const TrainingNodes few_nodes(small);
  const Fitting g{small, few_nodes, release, options};
  std::vector<Expert> experts;
  experts.push_back(features_expert(g));
  experts.push_back(likelihood_expert(g, counts));
  experts.push_back(shares_expert(g, counts));
  EXPECT_EQ(weights_of(g, experts), (std::vector<double>{1, 1, 0}));
}

}  // namespace
}  // namespace graphveil::method::experts_test
