#include "graphveil/account/calibrate.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::account {

Calibration smallest_noise(const std::function<double(double)>& cost, double target_epsilon, double delta,
                           const CalibrationOptions& options) {
  require(target_epsilon > 0 && std::isfinite(target_epsilon), "target epsilon is {}; wanted a finite number > 0",
          target_epsilon);
  require(delta >= 0 && delta < 1, "delta is {}; wanted a number in [0, 1)", delta);
  require(options.lowest > 0 && options.lowest < options.highest && std::isfinite(options.highest),
          "search range [{}, {}]; wanted 0 < lowest < highest", options.lowest, options.highest);
  require(options.relative_tolerance > 0, "relative tolerance is {}; wanted a number > 0", options.relative_tolerance);

  // Bracket by doubling from noise 1: cost(low) > target >= cost(high).
  double low = 1, high = 1, low_cost = cost(1), high_cost = low_cost;
  while (high_cost > target_epsilon) {
    if (high >= options.highest) {
      fail(ErrorKind::NotConverged, "epsilon {} at delta {} cannot be met: even noise {} costs epsilon {}",
           target_epsilon, delta, high, high_cost);
    }
    low = high;
    low_cost = high_cost;
    high = std::min(2 * high, options.highest);
    high_cost = cost(high);
  }
  while (low_cost <= target_epsilon) {
    if (low <= options.lowest) return {low, low_cost};
    high = low;
    high_cost = low_cost;
    low = std::max(0.5 * low, options.lowest);
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
  return smallest_noise([&](double noise) { return spent_epsilon(plan(noise), delta, options.accountant); },
                        target_epsilon, delta, options);
}

}  // namespace graphveil::account
