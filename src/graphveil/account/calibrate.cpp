#include "graphveil/account/calibrate.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "graphveil/account/careful.h"
#include "graphveil/account/gdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

constexpr double kFirstStep = 1.02;
constexpr double kLargestStep = 4;

// What an event adds to mu^2 in the limit of many steps, where all composition is Gaussian (Dong, Roth, Su 2019). A
// rough guess for where to look, nothing more.
double likely_mu_squared(const Event& event);

struct LikelyWhole {
  static double inverse_square(double noise_multiplier) { return 1 / (noise_multiplier * noise_multiplier); }
  double operator()(const Gaussian& m) const { return inverse_square(m.noise_multiplier); }
  double operator()(const Laplace& m) const { return inverse_square(m.noise_multiplier); }
  double operator()(const Exponential& m) const { return m.range * m.range / 4; }
  double operator()(const RandomizedResponse& m) const { return m.log_odds * m.log_odds; }
  double operator()(const DiscreteLaplace& m) const { return inverse_square(m.noise_multiplier); }
  double operator()(const DiscreteGaussian& m) const { return inverse_square(m.noise_multiplier); }
};

struct LikelySampled {
  double whole;
  double operator()(const NoSampling&) const { return whole; }
  double operator()(const Poisson& s) const { return s.rate * s.rate * std::expm1(std::min(whole, 300.0)); }
  double operator()(const PoissonGroup& s) const {
    const double reach = s.rate * static_cast<double>(s.deletions + s.insertions);
    return reach * reach * whole;
  }
};

struct LikelyBody {
  double operator()(const Single& s) const {
    return std::visit(LikelySampled{std::visit(LikelyWhole{}, s.mechanism)}, s.sampling);
  }
  double operator()(const Sampled& s) const { return LikelySampled{likely_mu_squared(*s.event)}(Poisson{s.rate}); }
  double operator()(const Composed& c) const {
    double sum = 0;
    for (const Event& event : c.events) sum += likely_mu_squared(event);
    return sum;
  }
  // About the cost of two trials.
  double operator()(const Tuned& t) const { return 4 * likely_mu_squared(*t.event); }
};

double likely_mu_squared(const Event& event) {
  return static_cast<double>(event.count()) * std::visit(LikelyBody{}, event.body());
}

// The noise at which the events would add up to the target if they were all Gaussian; `fallback` when there is none.
double likely_noise(const Plan& plan, double target_epsilon, double delta, double fallback) {
  if (!(target_epsilon > 0 && target_epsilon < 100 && delta > 0 && delta < 1)) return fallback;
  const double wanted = gdp_mu(target_epsilon, delta);
  double low = 1e-3, high = 1e6;
  for (int i = 0; i < 40; ++i) {
    const double middle = std::sqrt(low * high);
    (likely_mu(plan(middle)) > wanted ? low : high) = middle;
  }
  return high < 0.99e6 && low > 1.01e-3 ? high : fallback;
}

}  // namespace

double likely_mu(const Ledger& ledger) {
  double sum = 0;
  for (const Event& event : ledger.events()) sum += likely_mu_squared(event);
  return std::sqrt(sum);
}

Calibration smallest_noise(const std::function<double(double)>& cost_of, double target_epsilon, double delta,
                           const CalibrationOptions& options) {
  const auto cost = [&](double noise) { return proven(cost_of(noise)); };
  require(target_epsilon > 0 && std::isfinite(target_epsilon), "target epsilon is {}; wanted a finite number > 0",
          target_epsilon);
  require(delta >= 0 && delta < 1, "delta is {}; wanted a number in [0, 1)", delta);
  require(options.lowest > 0 && options.lowest < options.highest && std::isfinite(options.highest),
          "search range [{}, {}]; wanted 0 < lowest < highest", options.lowest, options.highest);
  require(options.relative_tolerance > 0, "relative tolerance is {}; wanted a number > 0", options.relative_tolerance);

  // Bracket from the start by growing steps: cost(low) > target >= cost(high).
  double low = std::clamp(options.start, options.lowest, options.highest), high = low;
  double low_cost = cost(low), high_cost = low_cost;
  double factor = kFirstStep;
  while (high_cost > target_epsilon) {
    if (high >= options.highest) {
      fail(ErrorKind::NotConverged, "epsilon {} at delta {} cannot be met: even noise {} costs epsilon {}",
           target_epsilon, delta, high, high_cost);
    }
    low = high;
    low_cost = high_cost;
    high = std::min(factor * high, options.highest);
    factor = std::min(factor * factor, kLargestStep);
    high_cost = cost(high);
  }
  while (low_cost <= target_epsilon) {
    if (low <= options.lowest) return {low, low_cost};
    high = low;
    high_cost = low_cost;
    low = std::max(low / factor, options.lowest);
    factor = std::min(factor * factor, kLargestStep);
    low_cost = cost(low);
  }

  // Epsilon against noise is nearly a power law: secant steps in log-log, aimed a little to the safe side and kept
  // inside the bracket, which halves whenever a step gains too little.
  for (int i = 0; i < 200 && high > low * (1 + options.relative_tolerance); ++i) {
    const double a = std::log(low), b = std::log(high);
    double next = 0.5 * (a + b);
    if (std::isfinite(low_cost) && high_cost > 0 && i % 4 != 3) {
      const double slope = (std::log(high_cost) - std::log(low_cost)) / (b - a);
      const double margin = 0.4 * options.relative_tolerance;
      next = std::clamp(b + (std::log(target_epsilon) - std::log(high_cost)) / slope + margin, a + margin, b - margin);
    }
    const double noise = std::exp(next), noise_cost = cost(noise);
    if (noise_cost <= target_epsilon) {
      high = noise;
      high_cost = noise_cost;
      // The answer is probably just below: a step of the tolerance closes the bracket at once.
      const double probe = noise / (1 + 0.9 * options.relative_tolerance);
      if (probe > low) {
        const double probe_cost = cost(probe);
        (probe_cost <= target_epsilon ? high : low) = probe;
        (probe_cost <= target_epsilon ? high_cost : low_cost) = probe_cost;
      }
    } else {
      low = noise;
      low_cost = noise_cost;
    }
  }
  return {high, high_cost};
}

Calibration calibrate(const Plan& plan, double target_epsilon, double delta, const CalibrationOptions& options) {
  CalibrationOptions guided = options;
  guided.start = likely_noise(plan, target_epsilon, delta, options.start);
  return smallest_noise([&](double noise) { return spent_epsilon(plan(noise), delta, options.accountant); },
                        target_epsilon, delta, guided);
}

}  // namespace graphveil::account
