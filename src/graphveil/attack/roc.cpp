#include "graphveil/attack/roc.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

// Of a curve that has more: so many evenly spread, and so many at false-positive rates that are spread evenly on a
// logarithmic scale, where an attack that is sure of a few shows.
constexpr size_t kEven = 120, kLow = 120;

std::vector<RocPoint> fewer(const std::vector<RocPoint>& points, double negatives) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < kEven; ++i) chosen.push_back(i * (points.size() - 1) / (kEven - 1));
  for (size_t i = 0; i < kLow; ++i) {
    const double rate = std::pow(negatives, static_cast<double>(i) / (kLow - 1) - 1);  // from 1 / negatives to 1
    const auto beyond = std::ranges::upper_bound(points, rate * (1 + 1e-12), {}, &RocPoint::false_positives);
    if (beyond != points.begin()) chosen.push_back(static_cast<size_t>(beyond - points.begin()) - 1);
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<RocPoint> out;
  for (const size_t i : chosen) out.push_back(points[i]);
  return out;
}

std::vector<RocPoint> curve(std::span<const double> scores, std::span<const uint8_t> positive) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  const auto positives = static_cast<double>(std::ranges::count_if(positive, [](uint8_t p) { return p != 0; }));
  const double negatives = static_cast<double>(scores.size()) - positives;
  std::vector<RocPoint> points{{0, 0}};
  double hits = 0, false_hits = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    (positive[order[i]] != 0 ? hits : false_hits) += 1;
    // Equal scores come together.
    if (i + 1 < order.size() && scores[order[i]] == scores[order[i + 1]]) continue;
    points.push_back({false_hits / negatives, hits / positives});
  }
  return points.size() <= kEven + kLow ? points : fewer(points, negatives);
}

}  // namespace

Roc roc(std::span<const double> scores, std::span<const uint8_t> positive) {
  require(scores.size() == positive.size(), "{} scores and {} marks", scores.size(), positive.size());
  const auto positives = std::ranges::count_if(positive, [](uint8_t p) { return p != 0; });
  require(positives > 0 && positives < std::ssize(positive), "an attack wants both kinds to tell apart");
  return {nn::auc(scores, positive), nn::tpr_at_fpr(scores, positive, 0.01), nn::tpr_at_fpr(scores, positive, 0.001),
          curve(scores, positive)};
}

RocSummary summarize(std::vector<Roc> repeats) {
  const auto over = [&](double Roc::*number) {
    std::vector<double> values;
    for (const Roc& roc : repeats) values.push_back(roc.*number);
    return nn::mean_interval(values);
  };
  RocSummary out{over(&Roc::auc), over(&Roc::tpr_at_1_percent), over(&Roc::tpr_at_01_percent), {}};
  out.repeats = std::move(repeats);
  return out;
}

}  // namespace graphveil::attack
