#include "graphveil/nn/metrics.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::nn::metrics_test {
namespace {

using Ints = std::vector<int32_t>;

TEST(Metrics, Predictions) {
  Matrix scores(2, 3);
  scores(0, 2) = 1;
  EXPECT_EQ(predictions(scores), (Ints{2, 0}));
}

TEST(Metrics, AccuracySkipsTheUnlabeled) {
  EXPECT_NEAR(accuracy(Ints{0, 1, 2, 1}, Ints{0, 1, 1, -1}), 2.0 / 3, 1e-12);
  EXPECT_EQ(accuracy(Ints{}, Ints{}), 0);
  EXPECT_THROW(accuracy(Ints{0}, Ints{}), Error);
}

// scikit-learn: f1_score([0,0,1,1,2], [0,1,1,1,0], average="macro") = (0.5 + 0.8 + 0) / 3.
TEST(Metrics, MacroF1AndPerClass) {
  const Ints predicted = {0, 1, 1, 1, 0}, labels = {0, 0, 1, 1, 2};
  EXPECT_NEAR(macro_f1(predicted, labels, 3), (0.5 + 0.8 + 0) / 3, 1e-12);
  EXPECT_NEAR(macro_f1(predicted, labels, 4), (0.5 + 0.8 + 0) / 3, 1e-12) << "a class that never occurs does not count";
  EXPECT_EQ(per_class_accuracy(predicted, labels, 3), (std::vector<double>{0.5, 1, 0}));
  EXPECT_THROW(macro_f1(Ints{3}, Ints{0}, 3), Error);
}

// scikit-learn: balanced_accuracy_score([0,0,1,1,2], [0,1,1,1,0]) = (0.5 + 1 + 0) / 3.
TEST(Metrics, BalancedAccuracyIsTheMeanRecall) {
  const Ints predicted = {0, 1, 1, 1, 0}, labels = {0, 0, 1, 1, 2};
  EXPECT_NEAR(balanced_accuracy(predicted, labels, 3), 0.5, 1e-12);
  EXPECT_NEAR(balanced_accuracy(predicted, labels, 9), 0.5, 1e-12) << "a class that never occurs does not count";
  EXPECT_NEAR(balanced_accuracy(Ints{1, 1}, Ints{0, -1}, 2), 0, 1e-12);
  EXPECT_EQ(balanced_accuracy(Ints{}, Ints{}, 2), 0);
}

// Tails of the binomial distribution, by counting: (45 + 10 + 1) / 1024 and so on.
TEST(Metrics, ALeadByLuck) {
  EXPECT_NEAR(lead_by_luck(8, 2), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(lead_by_luck(5, 0), 1.0 / 32, 1e-12);
  EXPECT_NEAR(lead_by_luck(1, 1), 0.75, 1e-12);
  EXPECT_EQ(lead_by_luck(0, 0), 1);
  EXPECT_NEAR(lead_by_luck(0, 7), 1, 1e-12);
  // Two standard deviations of 10,000 coins, against the normal distribution with its correction: Q((100 - 0.5) / 50).
  EXPECT_NEAR(lead_by_luck(5100, 4900), 0.02330, 2e-5);
  EXPECT_LT(lead_by_luck(600000, 400000), 1e-100);
  EXPECT_THROW(lead_by_luck(-1, 0), Error);
}

TEST(Metrics, Auc) {
  EXPECT_EQ(auc(std::vector<double>{1, 2, 3, 4}, std::vector<uint8_t>{0, 0, 1, 1}), 1);
  EXPECT_EQ(auc(std::vector<double>{1, 1, 1}, std::vector<uint8_t>{0, 1, 0}), 0.5);
  // Pairs (positive, negative): (3,1) yes, (3,2) yes, (2,1) yes, (2,2) half.
  EXPECT_NEAR(auc(std::vector<double>{1, 2, 2, 3}, std::vector<uint8_t>{0, 0, 1, 1}), 3.5 / 4, 1e-12);
  EXPECT_THROW(auc(std::vector<double>{1, 2}, std::vector<uint8_t>{1, 1}), Error);
}

TEST(Metrics, TprAtLowFpr) {
  const std::vector<double> scores = {9, 8, 7, 6, 5, 4};
  const std::vector<uint8_t> positive = {1, 1, 0, 1, 0, 1};
  EXPECT_EQ(tpr_at_fpr(scores, positive, 0), 0.5);
  EXPECT_EQ(tpr_at_fpr(scores, positive, 0.5), 0.75);
  EXPECT_EQ(tpr_at_fpr(scores, positive, 1), 1);
  EXPECT_EQ(tpr_at_fpr(std::vector<double>{1, 1}, std::vector<uint8_t>{0, 1}, 0.4), 0) << "ties cannot be told apart";
}

TEST(Metrics, MeanInterval) {
  const std::vector<double> values = {0.80, 0.81, 0.79, 0.82, 0.80, 0.78, 0.83, 0.81, 0.80, 0.79};
  const MeanInterval m = mean_interval(values);
  EXPECT_NEAR(m.mean, 0.803, 1e-12);
  EXPECT_NEAR(m.std, 0.014944, 1e-5);
  // Student's t with nine degrees of freedom: 2.262157 * std / sqrt(10).
  EXPECT_NEAR(*m.low, 0.803 - 0.0106905, 1e-6);
  EXPECT_NEAR(*m.high, 0.803 + 0.0106905, 1e-6);
  const MeanInterval one = mean_interval(std::vector<double>{0.5});
  EXPECT_EQ(one.mean, 0.5);
  EXPECT_FALSE(one.low || one.high);
  EXPECT_EQ(one.std, 0);
  EXPECT_THROW(mean_interval({}), Error);
}

// By hand: class 0 is predicted 3 times, twice rightly, of 2; class 1 twice, once rightly, of 3; class 2 never.
TEST(Metrics, ScoresByClass) {
  const std::vector<int32_t> labels = {0, 0, 1, 1, 1, -1}, predicted = {0, 0, 0, 1, 2, 1};
  const std::vector<ClassScores> scores = class_scores(predicted, labels, 4);
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_NEAR(scores[0].precision, 2.0 / 3, 1e-12);
  EXPECT_EQ(scores[0].recall, 1);
  EXPECT_NEAR(scores[0].f1, 0.8, 1e-12);
  EXPECT_EQ(scores[0].nodes, 2);
  EXPECT_EQ(scores[1].precision, 1);
  EXPECT_NEAR(scores[1].recall, 1.0 / 3, 1e-12);
  EXPECT_NEAR(scores[1].f1, 0.5, 1e-12);
  EXPECT_EQ(scores[2].precision, 0);
  EXPECT_EQ(scores[3].nodes, 0);
  EXPECT_NEAR(weighted_f1(predicted, labels, 4), (2 * 0.8 + 3 * 0.5) / 5, 1e-12);
  EXPECT_EQ(confusion(predicted, labels, 3), (std::vector<std::vector<int64_t>>{{2, 0, 0}, {1, 1, 1}, {0, 0, 0}}));
}

}  // namespace
}  // namespace graphveil::nn::metrics_test
