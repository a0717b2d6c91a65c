#include "graphveil/account/tuned.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr int64_t kFewTrials = 8;
constexpr double kStep = 0x1p-40;  // of chances, so that an integer decides them

struct Mean {
  double operator()(const NegativeBinomial& t) const {
    const double log_stop = std::log(t.stop), odds = (1 - t.stop) / t.stop;
    const double power = -std::expm1(t.shape * log_stop);  // 1 - stop^shape
    return std::fabs(t.shape) < 1e-9 ? odds / -log_stop : odds * t.shape / power;
  }
  double operator()(const PositivePoisson& t) const { return t.rate / -std::expm1(-t.rate); }
};

// The largest multiple of kStep in [kStep, 1] at which `mean_at`, a rising function, is at most `mean`.
template <typename MeanAt>
double largest_chance(double mean, MeanAt&& mean_at) {
  int64_t low = 1, high = (int64_t{1} << 40) + 1;  // not at `high`
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (mean_at(static_cast<double>(middle) * kStep) <= mean ? low : high) = middle;
  }
  return static_cast<double>(low) * kStep;
}

// The chance d at which a trial is (c, d)-DP, at a few c. It is convex in e^c, so between two of them the chord is
// above it; it falls, so beyond the last one that one will do.
class DeltaTable {
 public:
  explicit DeltaTable(const std::function<double(double)>& delta) {
    constexpr double kNegligible = 1e-9;
    for (int i = 0; i <= kPoints && (points_.empty() || points_.back().d > kNegligible); ++i) {
      const double c = std::exp2(kFirst + i / kPerOctave);
      points_.push_back({c, delta(c)});
    }
    // P(S) - Q(S) <= d + (e^c - 1) Q(S).
    points_.insert(points_.begin(), {0, std::min(delta(0), points_.front().d + std::expm1(points_.front().c))});
  }
  double at(double c) const {
    const auto above = std::find_if(points_.begin(), points_.end(), [c](const Point& p) { return p.c > c; });
    if (above == points_.end()) return points_.back().d;
    const Point &low = *(above - 1), &high = *above;
    const double part = std::expm1(c - low.c) / std::expm1(high.c - low.c);
    return ((1 - part) * low.d + part * high.d) * (1 + 1e-12);
  }

 private:
  static constexpr double kFirst = -7, kPerOctave = 2;  // powers of two
  static constexpr int kPoints = 16;
  struct Point {
    double c, d;
  };
  std::vector<Point> points_;
};

struct Curve {
  const Trial& trial;
  double log_mean;

  RenyiCurve operator()(const NegativeBinomial& t) const {
    const double log_stop = -std::log(t.stop);
    const auto at = [&](double order) { return (1 - 1 / order) * trial.curve(order) + log_stop / order; };
    const double extra = (1 + t.shape) * std::min(trial.pure, minimize_over_orders(at));
    return [curve = trial.curve, extra, log_mean = log_mean](double order) {
      return curve(order) + extra + log_mean / (order - 1);
    };
  }
  RenyiCurve operator()(const PositivePoisson& t) const {
    const auto deltas = std::make_shared<const DeltaTable>(trial.delta);
    return [curve = trial.curve, deltas, rate = t.rate, log_mean = log_mean](double order) {
      return curve(order) + rate * deltas->at(std::log1p(1 / (order - 1))) + log_mean / (order - 1);
    };
  }
};

}  // namespace

double mean_trials(const Trials& trials) { return std::visit(Mean{}, trials); }

Trials trials_of_mean(int64_t mean) {
  require(mean >= 2 && mean <= 10'000, "a search makes {} trials on average, want 2 to 10000", mean);
  const auto wanted = static_cast<double>(mean);
  if (mean <= kFewTrials) {
    // A Poisson variable of rate `mean` of which each is kept with some chance.
    return PositivePoisson{
        wanted * largest_chance(wanted, [&](double keep) { return mean_trials(PositivePoisson{wanted * keep}); })};
  }
  return NegativeBinomial{0, 1 - largest_chance(wanted, [&](double go_on) {
                               return go_on == 1 ? wanted + 1 : mean_trials(NegativeBinomial{0, 1 - go_on});
                             })};
}

RenyiCurve tuned_curve(const Trials& trials, const Trial& trial) {
  return std::visit(Curve{trial, std::log(mean_trials(trials))}, trials);
}

double tuned_pure(const Trials& trials, double pure, double variation) {
  struct Visitor {
    double pure, variation;
    double operator()(const NegativeBinomial& t) const { return (2 + t.shape) * pure; }
    double operator()(const PositivePoisson& t) const { return pure + t.rate * variation; }
  };
  return std::visit(Visitor{pure, variation}, trials);
}

}  // namespace graphveil::account
