#include "graphveil/nn/ops_loss.h"

#include "graphveil/nn/ops_normalize.h"
#include "tests/nn/gradient_check.h"

namespace graphveil::nn {
namespace {

class OpsLoss : public GradientCheck {
 protected:
  std::vector<int32_t> labels_ = {2, 0, kNoLabel, 1};
};

TEST_F(OpsLoss, NllGradient) {
  const auto x = add_input(4, 3);
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return nll(parameter(t, x), labels_, reduction); });
  }
}

TEST_F(OpsLoss, CrossEntropyGradient) {
  const auto x = add_input(4, 3);
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return cross_entropy(parameter(t, x), labels_, reduction); });
  }
}

TEST_F(OpsLoss, BinaryCrossEntropyGradient) {
  const auto x = add_input(4, 3);
  Matrix targets(4, 3);
  for (Real& t : targets.values()) t = static_cast<Real>(random_.uniform());
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return binary_cross_entropy(parameter(t, x), targets, reduction); });
  }
}

TEST_F(OpsLoss, CosineLossGradient) {
  const auto x = add_input(4, 3), y = add_input(4, 3);
  for (const Reduction reduction : {Reduction::Mean, Reduction::Sum}) {
    check([&](Tape& t) { return cosine_loss(parameter(t, x), parameter(t, y), reduction); });
  }
}

TEST_F(OpsLoss, L2PenaltyGradient) {
  const auto x = add_input(4, 3);
  check([&](Tape& t) { return l2_penalty(parameter(t, x), Real(0.3)); });
}

TEST_F(OpsLoss, SumGradient) {
  const auto x = add_input(4, 3);
  check([&](Tape& t) { return sum(multiply(parameter(t, x), parameter(t, x))); });
}

TEST_F(OpsLoss, CrossEntropyIsNllOfLogSoftmax) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x = random_matrix(4, 3);
  const Var v = tape.input(x);
  EXPECT_NEAR(cross_entropy(v, labels_).value()(0, 0), nll(log_softmax(v), labels_).value()(0, 0), 1e-6);
  EXPECT_NEAR(cross_entropy(v, labels_, Reduction::Sum).value()(0, 0), 3 * cross_entropy(v, labels_).value()(0, 0),
              1e-5)
      << "the unlabeled row does not count";
}

TEST_F(OpsLoss, BinaryCrossEntropyDoesNotOverflow) {
  Tape tape(Seed::from_number(1));
  tape.start();
  Matrix x(1, 2), targets(1, 2);
  x(0, 0) = 200;
  x(0, 1) = -200;
  targets(0, 1) = 1;
  EXPECT_NEAR(binary_cross_entropy(tape.input(x), targets, Reduction::Sum).value()(0, 0), 400, 1e-3);
}

TEST_F(OpsLoss, RefusesBadLabelsAndShapes) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(4, 2), y(3, 2);
  EXPECT_THROW(cross_entropy(tape.input(x), labels_), Error) << "label 2 of 2 classes";
  EXPECT_THROW(nll(tape.input(y), std::vector<int32_t>{0}), Error);
  EXPECT_THROW(cosine_loss(tape.input(x), tape.input(y)), Error);
  EXPECT_THROW(binary_cross_entropy(tape.input(x), y), Error);
}

TEST_F(OpsLoss, AMeanIsRefusedInAPerSampleStep) {
  Tape tape(Seed::from_number(1));
  tape.start_per_sample(4);
  const Matrix x(4, 3);
  EXPECT_THROW(cross_entropy(tape.input(x), labels_, Reduction::Mean), Error);
  EXPECT_NO_THROW(cross_entropy(tape.input(x), labels_, Reduction::Sum));
}

}  // namespace
}  // namespace graphveil::nn
