#include "graphveil/account/pld.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graphveil/account/pld_bounds.h"
#include "graphveil/account/tilted_sum.h"
#include "graphveil/base/infinity.h"

namespace graphveil::account {
namespace {

// Aimed-at relative error of epsilon from the lattice.
constexpr double kTolerance = 1.5e-4;
// Part of delta given away where the distributions are cut off.
constexpr double kTailShare = 1e-7;
constexpr double kMostPoints = 1 << 20;
// And over all releases, and rounds of refinement: beyond these, others do better.
constexpr double kMostPointsInAll = 1 << 23;
constexpr int kMostRounds = 24;
// A sharp answer loses no more to errors, and moves no more when the lattice is twice as coarse.
constexpr double kLargestErrorLoss = 3e-4, kLargestChange = 8e-4;
// Rounding of the losses themselves, relative.
constexpr double kEpsilonSlack = 1e-9;

double total_count(const std::vector<EqualRuns>& releases) {
  double count = 0;
  for (const EqualRuns& r : releases) count += static_cast<double>(r.count);
  return count;
}

// All releases on one lattice, both directions.
struct Lattice {
  std::vector<LossPair> pairs;
  std::vector<LossTerm> present, blank;

  Lattice(const std::vector<EqualRuns>& releases, double step, double tail) {
    for (const EqualRuns& r : releases) pairs.push_back(discretize(r.mechanism, r.sampling, step, tail));
    for (size_t i = 0; i < releases.size(); ++i) {
      const auto count = static_cast<double>(releases[i].count);
      present.push_back({&pairs[i].present, count});
      blank.push_back({&pairs[i].blank, count});
    }
  }
};

// Without sampling P and Q mirror each other, and both directions cost the same.
bool symmetric(const std::vector<EqualRuns>& releases) {
  return std::all_of(releases.begin(), releases.end(),
                     [](const EqualRuns& r) { return std::holds_alternative<NoSampling>(r.sampling); });
}

double widest_range(const std::vector<EqualRuns>& releases, double tail) {
  double widest = 0;
  for (const EqualRuns& r : releases) {
    const LossRange range = loss_range(r.mechanism, r.sampling, tail);
    widest = std::max(widest, range.high - range.low);
  }
  return widest;
}

// Whether there is a single release with a bounded loss.
bool bounded(const std::vector<EqualRuns>& releases) {
  return releases.size() == 1 && largest_loss(releases[0].mechanism, releases[0].sampling) < kLargestLoss;
}

// A single bounded loss should have its largest value on the lattice: rounding it up would matter near pure DP.
double aligned(const std::vector<EqualRuns>& releases, double step) {
  if (!bounded(releases)) return step;
  const double top = largest_loss(releases[0].mechanism, releases[0].sampling);
  return top / std::ceil(top / step);
}

// Connecting the dots turns a loss uniform in a cell of width h into its two ends: E[e^(tL)] grows by the factor
// 1 + (t^2 + t) h^2 / 12 (at most / 8, for a loss in the middle), so n copies raise epsilon = K'(t) by about
// n (t + 1) h^2 / 8. This is the h at which that is `allowed`.
double step_for(double allowed, double count, double tilt) { return std::sqrt(8 * allowed / (count * (tilt + 1))); }

// One direction of the composition and the tilt at which it is looked at.
struct Direction {
  LossSum sum;
  double tilt;
  Cumulants at_tilt;
};

// Both directions, or one when the other costs the same. `find_tilt` maps (sum, start) to a tilt.
template <typename FindTilt>
std::vector<Direction> directions(const Lattice& lattice, bool one_is_enough, double start, FindTilt&& find_tilt) {
  std::vector<Direction> out;
  for (const auto* terms : {&lattice.present, &lattice.blank}) {
    LossSum sum(*terms);
    const double tilt = find_tilt(sum, start);
    const Cumulants k = sum.cumulants(tilt);
    out.push_back({std::move(sum), tilt, k});
    if (one_is_enough) break;
  }
  return out;
}

// Whether a lattice of this step proves that the direction costs at most `epsilon`.
bool costs_less(const std::vector<EqualRuns>& releases, double step, double tail, bool present, double tilt,
                double delta, double epsilon) {
  const Lattice lattice(releases, step, tail);
  const LossSum sum(present ? lattice.present : lattice.blank);
  return TiltedSum(sum, tilt).epsilon(delta).epsilon <= epsilon;
}

// delta falls like e^(-tilt epsilon): a part spent on errors moves epsilon by part / tilt.
bool spends_little(const TiltedSum::Answer& answer, const Direction& direction) {
  return answer.error_share < std::min(0.05, kLargestErrorLoss * direction.tilt * answer.epsilon);
}

}  // namespace

double pld_epsilon(const std::vector<EqualRuns>& releases, double delta) { return pld_answer(releases, delta).epsilon; }

PldAnswer pld_answer(const std::vector<EqualRuns>& releases, double delta) {
  const double count = total_count(releases), tail = kTailShare * delta / count;
  const double range = widest_range(releases, tail);
  // From coarse to fine: a coarse lattice already tells epsilon and the tilt well enough to choose the next.
  double step = aligned(releases, range / 256), start = 0;
  bool refined = false, coarsened = false;
  for (int round = 0; round < kMostRounds; ++round) {
    if (static_cast<double>(releases.size()) * range / step > kMostPointsInAll) break;
    const Lattice lattice(releases, step, tail);
    const auto both = directions(lattice, symmetric(releases), start,
                                 [&](const LossSum& sum, double from) { return sum.tilt_for_delta(delta, from); });
    // The costlier direction decides how fine the lattice must be.
    const Direction* worse = &both[0];
    for (const Direction& d : both) {
      // Losses beyond the lattice weigh more than delta: a finer one will not help.
      if (d.sum.infinity() >= delta) return {kInfinity, false};
      if (d.at_tilt.mean > worse->at_tilt.mean) worse = &d;
    }
    start = worse->tilt;
    const double guess = std::max(worse->at_tilt.mean, 0.02 * std::sqrt(worse->at_tilt.variance));
    // The window of the sum is about 14 standard deviations long.
    const double shortest =
        std::max(range / kMostPoints, 14 * std::sqrt(worse->at_tilt.variance) / TiltedSum::kLongestWindow);
    if (step < 0.7 * shortest && !coarsened) {
      coarsened = true;
      step = shortest;
      continue;
    }
    const double wanted = std::max(step_for(kTolerance * guess, count, worse->tilt), shortest);
    if (!(wanted > 0)) return {kInfinity, false};
    if (step > 1.01 * wanted) {
      step = aligned(releases, std::max(wanted, step / 32));
      continue;
    }
    TiltedSum::Answer answer = TiltedSum(worse->sum, worse->tilt).epsilon(delta);
    const Direction* decides = worse;
    bool sharp = spends_little(answer, *worse);
    for (const Direction& d : both) {
      // A lattice four times as coarse is never below: often it is enough to see that the other direction costs less.
      if (&d == worse || costs_less(releases, 4 * step, tail, &d == &both[0], d.tilt, delta, answer.epsilon)) continue;
      const TiltedSum::Answer other = TiltedSum(d.sum, d.tilt).epsilon(delta);
      if (other.epsilon > answer.epsilon) {
        answer = other;
        decides = &d;
        sharp = spends_little(answer, d);
      }
    }
    // The tilt describes a sum of many terms; a few skewed ones may fall much more steeply at epsilon, or have a
    // smaller one than guessed. Then once more, finer. A lattice aligned to its atoms has no use for that.
    const double size = std::max(answer.epsilon, 0.02 * std::sqrt(worse->at_tilt.variance));
    const double needed = step_for(kTolerance * size, count, answer.steepness);
    if (!refined && step > 1.5 * std::max(needed, shortest) && !bounded(releases)) {
      refined = true;
      step = std::max({needed, step / 16, shortest});
      continue;
    }
    // The error of the lattice is of second order in the step: twice the step shows it four times as large.
    sharp = sharp && costs_less(releases, 2 * step, tail, decides == &both[0], decides->tilt, delta,
                                answer.epsilon * (1 + kLargestChange));
    return {std::max(answer.epsilon, 0.0) * (1 + kEpsilonSlack), sharp};
  }
  return {kInfinity, false};
}

double pld_delta(const std::vector<EqualRuns>& releases, double epsilon) {
  const double count = total_count(releases);
  // The loss of every outcome may be off by kEpsilonSlack: ask a little below.
  const double at = epsilon * (1 - kEpsilonSlack);
  // The cut-off must be small beside a delta that is not known yet: start from a moderate one and let the coarse
  // estimates correct it.
  double delta = 1e-6, step = 0, start = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double tail = kTailShare * delta / count;
    const double range = widest_range(releases, tail);
    if (step == 0) step = aligned(releases, range / 256);
    if (static_cast<double>(releases.size()) * range / step > kMostPointsInAll) break;
    const Lattice lattice(releases, step, tail);
    const auto both = directions(lattice, symmetric(releases), start,
                                 [&](const LossSum& sum, double from) { return sum.tilt_for_epsilon(at, from); });
    const Direction* worse = &both[0];
    double log_estimate = -kInfinity;
    for (const Direction& d : both) {
      // Nothing is left to tilt.
      if (!(d.sum.infinity() < 1)) return 1;
      const double log_delta = LossSum::log_delta_bound(d.at_tilt.value, d.tilt, at);
      if (log_delta > log_estimate) {
        log_estimate = log_delta;
        worse = &d;
      }
    }
    start = worse->tilt;
    const double size = std::max(epsilon, 0.02 * std::sqrt(worse->at_tilt.variance));
    const double allowed = std::min(kTolerance * size, 1e-3 / worse->tilt);
    const double wanted = std::max(step_for(allowed, count, worse->tilt), range / kMostPoints);
    const double estimate = std::clamp(std::exp(log_estimate), 1e-100, 1.0);
    if (!(wanted > 0)) return 1;
    const bool fine = step <= 1.01 * wanted, deep = delta <= 10 * estimate || delta <= 1e-100;
    if (!fine || !deep) {
      if (!fine) step = aligned(releases, std::max(wanted, step / 32));
      if (!deep) delta = estimate;
      continue;
    }
    double result = 0;
    for (const Direction& d : both) result = std::max(result, TiltedSum(d.sum, d.tilt).delta(at));
    return result;
  }
  return 1;
}

}  // namespace graphveil::account
