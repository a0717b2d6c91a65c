#include "graphveil/account/published_pate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/normal.h"
#include "graphveil/account/rdp.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void check(double noise_stddev, double order) {
  require(noise_stddev > 0, "noise is {}; wanted a number > 0", noise_stddev);
  require(order > 1, "order is {}; wanted a number > 1", order);
}

// ln(1 - e^x), x < 0.
double log1m_exp(double x) { return x > -0.7 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)); }

}  // namespace

double rdp_gnmax(double noise_stddev, double order) {
  check(noise_stddev, order);
  return order / (noise_stddev * noise_stddev);
}

double rdp_gnmax_check(double noise_stddev, double order) {
  check(noise_stddev, order);
  return order / (2 * noise_stddev * noise_stddev);
}

double gnmax_log_flip_probability(std::span<const double> votes, double noise_stddev) {
  require(votes.size() >= 2, "{} classes; wanted at least 2", votes.size());
  require(noise_stddev > 0, "noise is {}; wanted a number > 0", noise_stddev);
  const auto winner = std::max_element(votes.begin(), votes.end());
  double log_sum = -std::numeric_limits<double>::infinity();
  for (auto it = votes.begin(); it != votes.end(); ++it) {
    // P(n_i + Z_i >= n_max + Z) for a difference of two normals: Phi(-gap / (sqrt(2) sigma)).
    if (it != winner) log_sum = log_add(log_sum, log_normal_cdf(-(*winner - *it) / (std::sqrt(2.0) * noise_stddev)));
  }
  return std::min(log_sum, 0.0);
}

double rdp_gnmax_data_dependent(double log_flip_probability, double noise_stddev, double order) {
  check(noise_stddev, order);
  require(log_flip_probability <= 0, "log probability is {}; wanted a number <= 0", log_flip_probability);
  const double whole = rdp_gnmax(noise_stddev, order), variance = noise_stddev * noise_stddev;
  const double log_q = log_flip_probability;
  if (log_q == -std::numeric_limits<double>::infinity()) return 0;
  // Proposition 10: mu2 = sigma sqrt(ln 1/q), mu1 = mu2 + 1, e1 = mu1 / sigma^2, e2 = mu2 / sigma^2.
  const double mu2 = std::sqrt(-variance * log_q), mu1 = mu2 + 1;
  if (!(mu1 > order && mu2 > 1)) return whole;
  const double e1 = mu1 / variance, e2 = mu2 / variance;
  // Theorem 6 wants q <= e^((mu2-1) e2) / (mu1/(mu1-1) mu2/(mu2-1))^mu2, where the bound grows with q; and q e^e2 < 1.
  const double limit = (mu2 - 1) * e2 - mu2 * (std::log(mu1 / (mu1 - 1)) + std::log(mu2 / (mu2 - 1)));
  if (!(log_q <= limit && log_q + e2 < 0)) return whole;
  // ln( (1-q) A^(a-1) + q B^(a-1) ) / (a-1), A = (1-q) / (1 - (q e^e2)^((mu2-1)/mu2)), B = e^e1 / q^(1/(mu1-1)).
  const double log_1mq = log1m_exp(log_q);
  const double log_a = log_1mq - log1m_exp((log_q + e2) * (1 - 1 / mu2));
  const double log_b = e1 - log_q / (mu1 - 1);
  const double bound = log_add(log_1mq + (order - 1) * log_a, log_q + (order - 1) * log_b) / (order - 1);
  return std::clamp(bound, 0.0, whole);
}

double published_dpgpl_epsilon(int64_t queries, double noise_stddev, double sensitivity, double delta) {
  require(queries >= 0, "queries is {}; wanted at least 0", queries);
  require(noise_stddev > 0, "noise is {}; wanted a number > 0", noise_stddev);
  require(sensitivity >= 0, "sensitivity is {}; wanted a number >= 0", sensitivity);
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  const double slope = static_cast<double>(queries) * sensitivity * sensitivity / (2 * noise_stddev * noise_stddev);
  return minimize_over_orders([&](double order) { return classic_epsilon_from_renyi(order, slope * order, delta); });
}

}  // namespace graphveil::account
