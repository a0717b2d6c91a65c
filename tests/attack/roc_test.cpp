#include "graphveil/attack/roc.h"

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::attack::roc_test {
namespace {

TEST(Roc, OfAPerfectAndAUselessScore) {
  const std::vector<double> scores{4, 3, 2, 1};
  const std::vector<uint8_t> first{1, 1, 0, 0}, mixed{1, 0, 0, 1};
  EXPECT_EQ(roc(scores, first).auc, 1);
  EXPECT_EQ(roc(scores, first).tpr_at_1_percent, 1);
  EXPECT_EQ(roc(scores, mixed).auc, 0.5);
  const std::vector<double> same(4, 7.0);
  const Roc flat = roc(same, mixed);
  EXPECT_EQ(flat.auc, 0.5);
  EXPECT_EQ(flat.curve.size(), 2);  // nothing in between
}

TEST(Roc, CurveGoesFromEndToEndAndRises) {
  std::vector<double> scores;
  std::vector<uint8_t> positive;
  for (int i = 0; i < 5000; ++i) {
    scores.push_back((i * 7919) % 5000);
    positive.push_back(scores.back() > 2000 + (i * 31) % 2000 ? 1 : 0);
  }
  const Roc found = roc(scores, positive);
  EXPECT_LE(found.curve.size(), 240);
  EXPECT_EQ(found.curve.front().true_positives, 0);
  EXPECT_EQ(found.curve.back().false_positives, 1);
  double area = 0;
  for (size_t i = 1; i < found.curve.size(); ++i) {
    const auto &a = found.curve[i - 1], &b = found.curve[i];
    EXPECT_LE(a.false_positives, b.false_positives);
    EXPECT_LE(a.true_positives, b.true_positives);
    area += (b.false_positives - a.false_positives) * (a.true_positives + b.true_positives) / 2;
  }
  EXPECT_NEAR(area, found.auc, 0.01);
}

// An attack that is sure of a few shows at the lowest rates, where evenly spread points would miss it.
TEST(Roc, CurveIsDenseAtLowFalsePositiveRates) {
  std::vector<double> scores;
  std::vector<uint8_t> positive;
  for (int i = 0; i < 40000; ++i) {
    positive.push_back(i % 2 == 0 ? 1 : 0);
    scores.push_back(i < 400 && i % 2 == 0 ? 2.0 + i : static_cast<double>((i * 7919) % 40000) / 40000);
  }
  const Roc found = roc(scores, positive);
  const auto in = [&](double low, double high) {
    return std::ranges::count_if(found.curve, [&](const RocPoint& point) {
      return point.false_positives >= low && point.false_positives < high;
    });
  };
  EXPECT_GE(in(1e-4, 1e-3), 10);
  EXPECT_GE(in(1e-3, 1e-2), 20);
  EXPECT_GE(in(1e-2, 1e-1), 20);
  EXPECT_EQ(found.curve.front().false_positives, 0);
  // At the lowest rate the sure ones are all found.
  const auto first = std::ranges::find_if(found.curve, [](const RocPoint& p) { return p.false_positives > 0; });
  EXPECT_GE(first->true_positives, 0.01);
}

TEST(Roc, WantsBothKinds) {
  const std::vector<double> scores{1, 2};
  const std::vector<uint8_t> all{1, 1};
  EXPECT_THROW(roc(scores, all), Error);
}

TEST(Roc, SummaryIsOverRepeats) {
  const RocSummary summary = summarize({{.auc = 0.5}, {.auc = 0.7}});
  EXPECT_DOUBLE_EQ(summary.auc.mean, 0.6);
  EXPECT_EQ(summary.repeats.size(), 2);
}

}  // namespace
}  // namespace graphveil::attack::roc_test
