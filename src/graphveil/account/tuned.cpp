#include "graphveil/account/tuned.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

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

// The chance d at which a trial is (c, d)-DP. Looked up at a few c that are no larger than what is asked: d falls in c.
class DeltaTable {
 public:
  explicit DeltaTable(std::function<double(double)> delta) : delta_(std::move(delta)) {}
  double at(double epsilon) {
    constexpr double kPerOctave = 4, kSmallest = -6 * kPerOctave;
    const double place = std::floor(kPerOctave * std::log2(epsilon));
    const double below = place < kSmallest ? 0 : std::exp2(place / kPerOctave) * (1 - 1e-12);
    const auto [found, is_new] = known_.emplace(below, 0);
    if (is_new) found->second = delta_(below);
    return found->second;
  }

 private:
  std::function<double(double)> delta_;
  std::map<double, double> known_;
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
    const auto deltas = std::make_shared<DeltaTable>(trial.delta);
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
  return NegativeBinomial{
      0, 1 - largest_chance(wanted, [&](double go_on) {
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
