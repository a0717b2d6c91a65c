#include "graphveil/run/evaluate.h"

#include <gtest/gtest.h>

namespace graphveil::run::evaluate_test {
namespace {

// Nodes 0..n-1 all test; labels as given; row v is sure of predicted[v].
struct Judged {
  Parts parts;
  Matrix probabilities;
};

Judged judged(const std::vector<int32_t>& labels, const std::vector<int32_t>& predicted, int32_t classes) {
  Judged out;
  const auto nodes = static_cast<int64_t>(labels.size());
  out.parts.evaluated.labels = std::vector<int32_t>(labels);
  out.parts.evaluated.classes = classes;
  out.probabilities = Matrix(nodes, classes);
  for (int32_t v = 0; v < nodes; ++v) {
    out.parts.evaluated_split.test.push_back(v);
    out.probabilities(v, predicted[static_cast<size_t>(v)]) = 1;
  }
  return out;
}

Evaluation evaluated(const Judged& judged) { return evaluate(judged.parts, judged.probabilities); }

// Seven of ten are class 0, and the model says so of everybody: it looks like 70% and is worth nothing.
TEST(Evaluate, TheMajorityIsNotBeatenByItself) {
  const Evaluation e = evaluated(judged({0, 0, 0, 0, 0, 0, 0, 1, 1, 2}, std::vector<int32_t>(10, 0), 3));
  EXPECT_DOUBLE_EQ(e.test_accuracy, 0.7);
  ASSERT_TRUE(e.majority);
  EXPECT_EQ(e.majority->label, 0);
  EXPECT_DOUBLE_EQ(e.majority->share, 0.7);
  EXPECT_EQ(e.majority->luck, 1);
  EXPECT_FALSE(e.majority->beaten());
  EXPECT_NEAR(e.balanced_accuracy, 1.0 / 3, 1e-12);
  EXPECT_EQ(e.never_predicted(), (std::vector<int32_t>{1, 2}));
}

// Right on five nodes more and on none less: by luck once in 32.
TEST(Evaluate, ALeadOfFiveCounts) {
  const std::vector<int32_t> labels{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const Evaluation better = evaluated(judged(labels, labels, 2));
  EXPECT_NEAR(better.majority->luck, 1.0 / 32, 1e-12);
  EXPECT_TRUE(better.majority->beaten());
  EXPECT_TRUE(better.never_predicted().empty());
  std::vector<int32_t> four = labels;
  four.back() = 0;
  EXPECT_FALSE(evaluated(judged(labels, four, 2)).majority->beaten()) << "1 in 16 is more than 1 in 20";
  // Five won and one lost: 7 in 64.
  std::vector<int32_t> mixed = labels;
  mixed.front() = 1;
  EXPECT_NEAR(evaluated(judged(labels, mixed, 2)).majority->luck, 7.0 / 64, 1e-12);
}

TEST(Evaluate, UnlabeledNodesAreNotThere) {
  const Evaluation e = evaluated(judged({0, -1, 1, -1}, {0, 1, 0, 1}, 2));
  EXPECT_DOUBLE_EQ(e.majority->share, 0.5);
  EXPECT_DOUBLE_EQ(e.test_accuracy, 0.5);
  EXPECT_FALSE(evaluated(judged({-1, -1}, {0, 1}, 2)).majority);
}

TEST(Evaluate, ASearchGoesByTheMetricThatIsNamed) {
  const Judged all = judged({0, 0, 0, 1}, {0, 0, 0, 0}, 2);
  const std::vector<int32_t> nodes{0, 1, 2, 3};
  const auto by = [&](Metric metric) { return judged_by(metric, all.parts.evaluated, all.probabilities, nodes); };
  EXPECT_DOUBLE_EQ(by(Metric::Auto), 0.75);
  EXPECT_DOUBLE_EQ(by(Metric::Accuracy), 0.75);
  EXPECT_DOUBLE_EQ(by(Metric::Balanced), 0.5);
  EXPECT_NEAR(by(Metric::F1), (6.0 / 7) / 2, 1e-12);
  EXPECT_DOUBLE_EQ(by(Metric::RocAuc), 0.5);
  const std::vector<int32_t> one_kind{0, 1};
  EXPECT_DOUBLE_EQ(judged_by(Metric::RocAuc, all.parts.evaluated, all.probabilities, one_kind), 0.5);
}

}  // namespace
}  // namespace graphveil::run::evaluate_test
