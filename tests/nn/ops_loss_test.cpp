#include "graphveil/nn/ops_loss.h"

#include "graphveil/nn/ops_normalize.h"
#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_loss_test {
namespace {

class OpsLoss : public GradientCheck {
 protected:
  std::vector<int32_t> labels_ = {2, 0, kNoLabel, 1};
};

TEST_F(OpsLoss, CrossEntropyGradient) {
  const auto x = add_input(4, 3);
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return cross_entropy(parameter(t, x), labels_, reduction); });
  }
}

TEST_F(OpsLoss, WeightedCrossEntropyGradient) {
  const auto x = add_input(4, 3);
  const std::vector<Real> weights = {Real(0.5), 3, 1};
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return cross_entropy(parameter(t, x), labels_, reduction, weights); });
  }
}

// As PyTorch has it: the sum of weight times loss, and for the mean divided by the weights of the rows that count.
TEST_F(OpsLoss, WeightsCountTheRowsOfTheirClass) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x = random_matrix(4, 3);
  const Var v = tape.input(x);
  const ConstMatrixView logs = log_softmax(v).value();
  const std::vector<Real> weights = {Real(0.5), 3, 1};
  const Real sum = -(1 * logs(0, 2) + Real(0.5) * logs(1, 0) + 3 * logs(3, 1));
  EXPECT_NEAR(cross_entropy(v, labels_, Reduction::Sum, weights).value()(0, 0), sum, 1e-5);
  EXPECT_NEAR(cross_entropy(v, labels_, Reduction::Mean, weights).value()(0, 0), sum / 4.5, 1e-5);
  const std::vector<Real> ones = {1, 1, 1}, few = {1, 1}, none = {1, 0, 1};
  EXPECT_NEAR(cross_entropy(v, labels_, Reduction::Mean, ones).value()(0, 0), cross_entropy(v, labels_).value()(0, 0),
              1e-6);
  EXPECT_THROW(cross_entropy(v, labels_, Reduction::Mean, few), Error);
  EXPECT_THROW(cross_entropy(v, labels_, Reduction::Mean, none), Error);
}

TEST_F(OpsLoss, LogisticLossGradient) {
  const auto x = add_input(4, 1);
  const std::vector<int32_t> labels = {1, 0, kNoLabel, 1};
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return logistic_loss(parameter(t, x), labels, reduction); });
  }
}

TEST_F(OpsLoss, LogisticLossOfLargeScores) {
  Tape tape(Seed::from_number(1));
  tape.start();
  Matrix x(4, 1);
  x(0, 0) = 1000;
  x(1, 0) = -1000;
  x(2, 0) = -1000;
  const std::vector<int32_t> labels = {1, 0, 1, 0};
  EXPECT_NEAR(logistic_loss(tape.input(x), labels, Reduction::Sum).value()(0, 0), 1000 + std::log(2), 1e-3);
  EXPECT_THROW(logistic_loss(tape.input(x), std::vector<int32_t>{1, 0, 2, 0}), Error);
  EXPECT_THROW(logistic_loss(tape.input(Matrix(4, 2)), labels), Error);
}

TEST_F(OpsLoss, L2PenaltyGradient) {
  const auto x = add_input(4, 3);
  check([&](Tape& t) { return l2_penalty(parameter(t, x), Real(0.3)); });
}

TEST_F(OpsLoss, SumGradient) {
  const auto x = add_input(4, 3);
  check([&](Tape& t) { return sum(multiply(parameter(t, x), parameter(t, x))); });
}

TEST_F(OpsLoss, CrossEntropyIsTheMeanLogarithm) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x = random_matrix(4, 3);
  const Var v = tape.input(x);
  const ConstMatrixView logs = log_softmax(v).value();
  const Real mean = (logs(0, 2) + logs(1, 0) + logs(3, 1)) / 3;
  EXPECT_NEAR(cross_entropy(v, labels_).value()(0, 0), -mean, 1e-6);
  EXPECT_NEAR(cross_entropy(v, labels_, Reduction::Sum).value()(0, 0), 3 * cross_entropy(v, labels_).value()(0, 0),
              1e-5)
      << "the unlabeled row does not count";
}

TEST_F(OpsLoss, RefusesBadLabelsAndShapes) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(4, 2), y(3, 2);
  EXPECT_THROW(cross_entropy(tape.input(x), labels_), Error) << "label 2 of 2 classes";
  EXPECT_THROW(cross_entropy(tape.input(y), std::vector<int32_t>{0}), Error);
}

TEST_F(OpsLoss, AMeanIsRefusedInAPerSampleStep) {
  Tape tape(Seed::from_number(1));
  tape.start_per_sample(4);
  const Matrix x(4, 3);
  EXPECT_THROW(cross_entropy(tape.input(x), labels_, Reduction::Mean), Error);
  EXPECT_NO_THROW(cross_entropy(tape.input(x), labels_, Reduction::Sum));
}

TEST_F(OpsLoss, APerSampleLossReadsOneRowOfEachSample) {
  Tape tape(Seed::from_number(1));
  const Matrix x(4, 3);
  for (const std::vector<int32_t>& owners : {std::vector<int32_t>{0, 0, 1, 2}, {1, 0, 2, 3}, {0, 1, 2, 2}}) {
    tape.start_per_sample(4);
    EXPECT_THROW(cross_entropy(tape.input(x, owners), labels_, Reduction::Sum), Error);
  }
}

}  // namespace
}  // namespace graphveil::nn::ops_loss_test
