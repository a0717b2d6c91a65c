#include "graphveil/base/curves.h"

#include <gtest/gtest.h>

namespace graphveil::curves_test {
namespace {

TEST(Curves, NobodyListensUnlessAsked) {
  EXPECT_FALSE(curves_wanted());
  tell_curve("encoder", "loss", 0, 1.0);
  CurveRecorder recorder;
  {
    const CurveScope scope(recorder);
    EXPECT_TRUE(curves_wanted());
    tell_curve("encoder", "loss", 0, 1.0);
    tell_curve("encoder", "loss", 1, 0.5);
    tell_curve("classifier", "loss", 0, 2.0);
  }
  tell_curve("encoder", "loss", 2, 0.25);
  ASSERT_EQ(recorder.curves().size(), 2u);
  EXPECT_EQ(recorder.curves()[0].values, (std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(recorder.curves()[1].stage, "classifier");
}

TEST(Curves, AStageThatBeginsAgainIsAnotherPass) {
  CurveRecorder recorder;
  for (int pass = 0; pass < 3; ++pass) {
    for (int step = 0; step < 2; ++step) recorder.add("a", "loss", step, pass);
  }
  ASSERT_EQ(recorder.curves().size(), 3u);
  for (int pass = 0; pass < 3; ++pass) {
    EXPECT_EQ(recorder.curves()[static_cast<size_t>(pass)].pass, pass);
    EXPECT_EQ(recorder.curves()[static_cast<size_t>(pass)].values, (std::vector<double>(2, pass)));
  }
}

TEST(Curves, LongOnesAreThinnedEvenly) {
  CurveRecorder recorder;
  for (int64_t step = 0; step < 100'000; ++step) recorder.add("a", "loss", step, static_cast<double>(step));
  const Curve& curve = recorder.curves().front();
  EXPECT_LE(curve.steps.size(), CurveRecorder::kMost);
  EXPECT_GT(curve.steps.size(), CurveRecorder::kMost / 4);
  for (size_t i = 1; i < curve.steps.size(); ++i) {
    EXPECT_EQ(curve.steps[i] - curve.steps[i - 1], curve.steps[1]);
    EXPECT_EQ(curve.values[i], static_cast<double>(curve.steps[i]));
  }
}

}  // namespace
}  // namespace graphveil::curves_test
