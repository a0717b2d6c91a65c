#include "graphveil/account/published_privgnn.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphveil/account/rdp.h"
#include "graphveil/account/rdp_bounds.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void check(int64_t queries, double sampling_rate, double inverse_scale, double delta) {
  require(queries >= 0, "queries is {}; wanted at least 0", queries);
  require(sampling_rate >= 0 && sampling_rate <= 1, "sampling rate is {}; wanted a number in [0, 1]", sampling_rate);
  require(inverse_scale > 0 && std::isfinite(inverse_scale), "inverse scale is {}; wanted a finite number > 0",
          inverse_scale);
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
}

}  // namespace

double published_privgnn_epsilon(int64_t queries, double sampling_rate, double inverse_scale, double delta) {
  check(queries, sampling_rate, inverse_scale, delta);
  double best = std::numeric_limits<double>::infinity();
  for (int order = 2; order <= 32; ++order) {
    const double one = rdp_sampled_laplace(1 / inverse_scale, sampling_rate, order);
    best = std::min(best, classic_epsilon_from_renyi(order, static_cast<double>(queries) * one, delta));
  }
  return best;
}

double published_privgnn_inverse_scale(int64_t queries, double sampling_rate, double epsilon, double delta) {
  const auto says = [&](double lambda) { return published_privgnn_epsilon(queries, sampling_rate, lambda, delta); };
  double low = 1e-6, high = 100;
  require(says(low) <= epsilon, "the paper's formula gives epsilon {} without any signal: ask for more than {}",
          says(low), epsilon);
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    (says(middle) <= epsilon ? low : high) = middle;
  }
  return low;
}

double published_privgnn_rough_epsilon(int64_t queries, double sampling_rate, double inverse_scale, double delta) {
  check(queries, sampling_rate, inverse_scale, delta);
  const double moment = 2.0 / 3 * std::exp(inverse_scale) + 1.0 / 3 * std::exp(-2 * inverse_scale);
  return -0.5 * std::log(delta) +
         static_cast<double>(queries) * std::log1p(sampling_rate * sampling_rate * (moment - 1));
}

}  // namespace graphveil::account
