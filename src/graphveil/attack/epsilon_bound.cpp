#include "graphveil/attack/epsilon_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "graphveil/attack/clopper_pearson.h"
#include "graphveil/base/error.h"

namespace graphveil::attack {
namespace {

double shown(int64_t hits, int64_t trials, int64_t false_hits, int64_t false_trials, double delta, double error) {
  const double p = probability_low(hits, trials, error) - delta;
  const double q = probability_high(false_hits, false_trials, error);
  return p > q ? std::log(p / q) : 0;
}

int64_t at_least(std::span<const float> rising, float threshold) {
  return rising.end() - std::lower_bound(rising.begin(), rising.end(), threshold);
}
int64_t at_most(std::span<const float> rising, float threshold) {
  return std::upper_bound(rising.begin(), rising.end(), threshold) - rising.begin();
}

// Scores at ranks 1, 2, ..., then ever further apart, from both ends.
void candidates(std::span<const float> rising, std::vector<float>& out) {
  const auto size = static_cast<int64_t>(rising.size());
  for (int64_t rank = 0; rank < size;
       rank = std::max(rank + 1, static_cast<int64_t>(1.15 * static_cast<double>(rank)))) {
    out.push_back(rising[static_cast<size_t>(rank)]);
    out.push_back(rising[static_cast<size_t>(size - 1 - rank)]);
  }
}

}  // namespace

EpsilonBound epsilon_bound(std::span<const float> there, std::span<const float> blank, double delta,
                           double confidence) {
  require(there.size() >= 4 && blank.size() >= 4, "{} and {} scores, want at least 4 each", there.size(), blank.size());
  require(delta >= 0 && delta < 1, "delta is {}, want at least 0 and less than 1", delta);
  require(confidence > 0 && confidence < 1, "confidence is {}, want more than 0 and less than 1", confidence);
  const double error = (1 - confidence) / 2;
  const size_t half_there = there.size() / 2, half_blank = blank.size() / 2;
  std::vector<float> in(there.begin(), there.begin() + static_cast<int64_t>(half_there));
  std::vector<float> out(blank.begin(), blank.begin() + static_cast<int64_t>(half_blank));
  std::sort(in.begin(), in.end());
  std::sort(out.begin(), out.end());

  // The luckiest of many thresholds is not the best one: what few scores show is trusted less here than in the bound.
  const double wary = error / 100;
  EpsilonBound best;
  double most = -1;
  std::vector<float> thresholds;
  candidates(in, thresholds);
  candidates(out, thresholds);
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  for (const float t : thresholds) {
    const auto n = static_cast<int64_t>(in.size()), m = static_cast<int64_t>(out.size());
    const double above = shown(at_least(in, t), n, at_least(out, t), m, delta, wary);
    const double below = shown(at_most(out, t), m, at_most(in, t), n, delta, wary);
    if (std::max(above, below) > most) {
      most = std::max(above, below);
      best.threshold = t;
      best.speaks_for = above >= below;
    }
  }

  const auto t = static_cast<float>(best.threshold);
  const auto second_in = there.subspan(half_there), second_out = blank.subspan(half_blank);
  const auto hit = [&](float score) { return best.speaks_for ? score >= t : score <= t; };
  const auto in_hits = std::ranges::count_if(second_in, hit), out_hits = std::ranges::count_if(second_out, hit);
  const auto n = static_cast<int64_t>(second_in.size()), m = static_cast<int64_t>(second_out.size());
  best.hits = best.speaks_for ? in_hits : out_hits;
  best.false_hits = best.speaks_for ? out_hits : in_hits;
  best.trials = best.speaks_for ? n : m;
  best.low =
      best.speaks_for ? shown(in_hits, n, out_hits, m, delta, error) : shown(out_hits, m, in_hits, n, delta, error);
  return best;
}

}  // namespace graphveil::attack
