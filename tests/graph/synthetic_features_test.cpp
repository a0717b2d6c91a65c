#include "graphveil/graph/synthetic_features.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::graph::synthetic_features_test {
namespace {

std::vector<int32_t> alternating(int64_t nodes) {
  std::vector<int32_t> labels;
  for (int64_t v = 0; v < nodes; ++v) labels.push_back(static_cast<int32_t>(v % 2));
  return labels;
}

TEST(SyntheticFeatures, GaussianClassesHaveUnitNoiseAroundCentersApart) {
  constexpr int64_t kNodes = 4000, kColumns = 50;
  const Features features = draw_features(GaussianFeatures{kColumns, 3}, alternating(kNodes), 2, Seed::from_number(2));
  std::vector<double> mean(2 * kColumns, 0);
  for (int64_t v = 0; v < kNodes; ++v) {
    for (int64_t c = 0; c < kColumns; ++c) mean[v % 2 * kColumns + c] += features.dense()(v, c) / (kNodes / 2.0);
  }
  double variance = 0, distance = 0;
  for (int64_t v = 0; v < kNodes; ++v) {
    for (int64_t c = 0; c < kColumns; ++c) {
      variance += std::pow(features.dense()(v, c) - mean[v % 2 * kColumns + c], 2) / (kNodes * kColumns);
    }
  }
  for (int64_t c = 0; c < kColumns; ++c) distance += std::pow(mean[c] - mean[kColumns + c], 2);
  EXPECT_NEAR(variance, 1, 0.02);
  EXPECT_NEAR(std::sqrt(distance), 3 * std::sqrt(2.0), 1.5);
}

TEST(SyntheticFeatures, OneHotHasOneValueAGroupAtMost) {
  const OneHotFeatures model{{4, 10, 3}, {0.0, 0.3, 1.0}, 1.0};
  constexpr int64_t kNodes = 5000;
  const Features features = draw_features(model, alternating(kNodes), 2, Seed::from_number(2));
  EXPECT_EQ(features.cols(), 17);
  int64_t second = 0;
  for (int64_t v = 0; v < kNodes; ++v) {
    const auto row = features.sparse().view().row(v);
    ASSERT_GE(row.size(), 1u);
    ASSERT_LE(row.size(), 2u);
    EXPECT_LT(row[0], 4);
    if (row.size() == 2) {
      EXPECT_GE(row[1], 4);
      EXPECT_LT(row[1], 14);
      ++second;
    }
  }
  EXPECT_NEAR(static_cast<double>(second), 0.7 * kNodes, 5 * std::sqrt(kNodes * 0.21));
  EXPECT_TRUE(features.sparse().values.empty());
}

TEST(SyntheticFeatures, SignalMakesClassesDiffer) {
  // The largest difference of a column's frequency between the two classes, without and with signal.
  const auto difference = [](double signal) {
    const Features f = draw_features(OneHotFeatures{{8}, {0}, signal}, alternating(20000), 2, Seed::from_number(2));
    std::vector<double> counts(8, 0);
    for (int64_t v = 0; v < f.rows(); ++v) counts[f.sparse().view().row(v)[0]] += v % 2 ? 1 : -1;
    double largest = 0;
    for (double c : counts) largest = std::max(largest, std::abs(c) / 10000);
    return largest;
  };
  EXPECT_LT(difference(0), 0.03);
  EXPECT_GT(difference(1), 0.08);
}

TEST(SyntheticFeatures, BadSettingsAreRefused) {
  EXPECT_THROW(draw_features(GaussianFeatures{0, 1}, alternating(4), 2, Seed::from_number(1)), Error);
  EXPECT_THROW(draw_features(OneHotFeatures{{3}, {}, 1}, alternating(4), 2, Seed::from_number(1)), Error);
}

}  // namespace
}  // namespace graphveil::graph::synthetic_features_test
