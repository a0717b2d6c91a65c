#include "graphveil/attack/roc.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

constexpr size_t kPoints = 200;

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
  if (points.size() <= kPoints) return points;
  std::vector<RocPoint> fewer;
  for (size_t i = 0; i < kPoints; ++i) fewer.push_back(points[i * (points.size() - 1) / (kPoints - 1)]);
  return fewer;
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
