#include "graphveil/account/published_gap.h"

#include <cmath>

#include "graphveil/account/rdp.h"
#include "graphveil/account/rdp_bounds.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void check(int64_t hops, double delta) {
  require(hops >= 0, "hops is {}; wanted at least 0", hops);
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
}

}  // namespace

double published_gap_edge_epsilon(int64_t hops, double noise_stddev, double delta) {
  check(hops, delta);
  require(noise_stddev >= 0, "noise is {}; wanted a number >= 0", noise_stddev);
  if (hops == 0) return 0;
  const double k = static_cast<double>(hops);
  return k / (2 * noise_stddev * noise_stddev) + std::sqrt(-2 * k * std::log(delta)) / noise_stddev;
}

double published_gap_edge_noise(int64_t hops, double epsilon, double delta) {
  check(hops, delta);
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon is {}; wanted a finite number > 0", epsilon);
  // With x = sqrt(K) / sigma: x^2 / 2 + x sqrt(2 ln(1/delta)) = epsilon. Written so that nothing cancels.
  const double root = std::sqrt(-2 * std::log(delta));
  const double x = 2 * epsilon / (root + std::sqrt(root * root + 2 * epsilon));
  return std::sqrt(static_cast<double>(hops)) / x;
}

double published_gap_node_epsilon(const Ledger& encoder, const Ledger& classifier, int64_t max_degree, int64_t hops,
                                  double noise_stddev, double delta) {
  check(hops, delta);
  require(max_degree >= 1, "max degree is {}; wanted at least 1", max_degree);
  require(noise_stddev >= 0, "noise is {}; wanted a number >= 0", noise_stddev);
  const RenyiCurve first = renyi_curve(encoder), last = renyi_curve(classifier);
  const double terms = static_cast<double>(max_degree) * static_cast<double>(hops);
  return minimize_over_orders([&](double order) {
    const double middle = terms == 0 ? 0 : terms * order / (2 * noise_stddev * noise_stddev);
    return classic_epsilon_from_renyi(order, first(order) + last(order) + middle, delta);
  });
}

double published_sage_node_epsilon(const DpGnnSetting& training, double noise_multiplier, double aggregation_multiplier,
                                   double delta) {
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  require(noise_multiplier >= 0 && aggregation_multiplier >= 0, "noise is {} and {}; wanted numbers >= 0",
          noise_multiplier, aggregation_multiplier);
  require(training.steps >= 0, "steps is {}; wanted at least 0", training.steps);
  const int64_t touched = dpgnn_occurrences(training.max_degree, 1);
  return minimize_over_orders([&](double order) {
    const double step = training.steps == 0 ? 0
                                            : rdp_hypergeometric_group(noise_multiplier, training.training_nodes,
                                                                       touched, training.batch_size, order);
    const double predictions = order / (2 * aggregation_multiplier * aggregation_multiplier);
    return classic_epsilon_from_renyi(order, static_cast<double>(training.steps) * step + predictions, delta);
  });
}

}  // namespace graphveil::account
