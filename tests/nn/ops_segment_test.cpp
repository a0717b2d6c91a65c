#include "graphveil/nn/ops_segment.h"

#include "tests/nn/gradient_check.h"

namespace graphveil::nn::ops_segment_test {
namespace {

class OpsSegment : public GradientCheck {
 protected:
  std::vector<int64_t> offsets_ = {0, 3, 3, 4, 6};
};

TEST_F(OpsSegment, SumGradient) {
  const auto x = add_input(6, 3);
  check_operation([&](Tape& t) { return segment_sum(parameter(t, x), offsets_); });
}

TEST_F(OpsSegment, MeanGradient) {
  const auto x = add_input(6, 3);
  check_operation([&](Tape& t) { return segment_mean(parameter(t, x), offsets_); });
}

TEST_F(OpsSegment, MaxGradient) {
  const auto x = add_input(6, 3);
  // Distinct by more than the difference steps, so that the winner does not change.
  for (int64_t r = 0; r < 6; ++r) {
    for (int64_t c = 0; c < 3; ++c) parameters_.value(x)(r, c) = static_cast<Real>((r * 5 + c * 3) % 7) - 3;
  }
  check_operation([&](Tape& t) { return segment_max(parameter(t, x), offsets_); });
}

TEST_F(OpsSegment, ValuesByHand) {
  Tape tape(Seed::from_number(1));
  tape.start();
  Matrix x(6, 1);
  for (int64_t r = 0; r < 6; ++r) x(r, 0) = static_cast<Real>(-r - 1);
  const Var v = tape.input(x);
  EXPECT_EQ(segment_sum(v, offsets_).value()(0, 0), -6);
  EXPECT_EQ(segment_mean(v, offsets_).value()(3, 0), Real(-5.5));
  EXPECT_EQ(segment_max(v, offsets_).value()(0, 0), -1);
  EXPECT_EQ(segment_max(v, offsets_).value()(1, 0), 0) << "an empty segment is a zero row";
}

TEST_F(OpsSegment, RefusesOffsetsThatDoNotCoverTheRows) {
  Tape tape(Seed::from_number(1));
  tape.start();
  const Matrix x(5, 1);
  EXPECT_THROW(segment_sum(tape.input(x), offsets_), Error);
}

}  // namespace
}  // namespace graphveil::nn::ops_segment_test
