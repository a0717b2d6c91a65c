#include "graphveil/account/published_dpar.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void check_delta(double delta) { require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta); }

void check_epsilon(double epsilon) {
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon is {}; wanted a finite number > 0", epsilon);
}

// The x >= 0 with f(x) = target for increasing f with f(0) <= target, rounded so that f(x) <= target.
template <typename F>
double increasing_root(double target, F&& f) {
  double low = 0, high = 1;
  while (f(high) <= target) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) <= target ? low : high) = middle;
  }
  return low;
}

}  // namespace

double published_dpar_selection_epsilon(double gumbel_epsilon, int64_t picks, double delta) {
  require(gumbel_epsilon >= 0, "epsilon is {}; wanted a number >= 0", gumbel_epsilon);
  require(picks >= 1, "picks is {}; wanted at least 1", picks);
  check_delta(delta);
  const double k = static_cast<double>(picks), e = gumbel_epsilon;
  // (e^2x - 1) / (e^2x + 1) = tanh x.
  return 2 * std::min(k * e, k * e * std::tanh(e) + e * std::sqrt(-2 * k * std::log(delta)));
}

double published_dpar_gumbel_epsilon(double row_epsilon, int64_t picks, double delta) {
  check_epsilon(row_epsilon);
  return increasing_root(row_epsilon, [&](double e) { return published_dpar_selection_epsilon(e, picks, delta); });
}

double published_dpar_gaussian_noise(double row_epsilon, double row_delta) {
  check_epsilon(row_epsilon);
  check_delta(row_delta);
  return std::sqrt(2 * std::log(1.25 / row_delta)) / row_epsilon;
}

double published_dpar_gaussian_epsilon(double noise_multiplier, double row_delta) {
  require(noise_multiplier >= 0, "noise multiplier is {}; wanted a number >= 0", noise_multiplier);
  check_delta(row_delta);
  return std::sqrt(2 * std::log(1.25 / row_delta)) / noise_multiplier;
}

double published_dpar_row_epsilon(double total_epsilon, double total_delta, int64_t rows) {
  require(total_epsilon >= 0, "epsilon is {}; wanted a number >= 0", total_epsilon);
  check_delta(total_delta);
  require(rows >= 1, "rows is {}; wanted at least 1", rows);
  return total_epsilon / (2 * std::sqrt(static_cast<double>(rows) * std::log(M_E + total_epsilon / total_delta)));
}

double published_dpar_rows_epsilon(double row_epsilon, double total_delta, int64_t rows) {
  check_epsilon(row_epsilon);
  return increasing_root(row_epsilon,
                         [&](double total) { return published_dpar_row_epsilon(total, total_delta, rows); });
}

double published_dpar_sgd_epsilon(double noise_multiplier, double batch_rate, double column_norm, int64_t steps,
                                  double delta) {
  require(noise_multiplier >= 0, "noise multiplier is {}; wanted a number >= 0", noise_multiplier);
  require(batch_rate >= 0 && batch_rate <= 1, "batch rate is {}; wanted a number in [0, 1]", batch_rate);
  require(column_norm >= 0, "column norm is {}; wanted a number >= 0", column_norm);
  require(steps >= 0, "steps is {}; wanted at least 0", steps);
  check_delta(delta);
  // T q^2 tau^2 l^2 / sigma^2 <= l epsilon / 2 and e^(-l epsilon / 2) <= delta: take l = 2 ln(1/delta) / epsilon.
  const double numerator = 2 * batch_rate * column_norm * std::sqrt(-static_cast<double>(steps) * std::log(delta));
  return numerator == 0 ? 0 : numerator / noise_multiplier;
}

double published_dpar_sgd_noise(double epsilon, double batch_rate, double column_norm, int64_t steps, double delta) {
  check_epsilon(epsilon);
  return published_dpar_sgd_epsilon(1, batch_rate, column_norm, steps, delta) / epsilon;
}

PublishedBudget published_dpar_total(const PublishedBudget& pagerank, const PublishedBudget& sgd, double node_rate) {
  require(node_rate >= 0 && node_rate <= 1, "node rate is {}; wanted a number in [0, 1]", node_rate);
  return {node_rate * (pagerank.epsilon + sgd.epsilon), node_rate * (pagerank.delta + sgd.delta)};
}

}  // namespace graphveil::account
