#include "graphveil/account/published_lnmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

void check_moment(double inverse_scale, int order) {
  require(inverse_scale > 0 && std::isfinite(inverse_scale), "inverse scale is {}; wanted a finite number > 0",
          inverse_scale);
  require(order >= 1, "order is {}; wanted at least 1", order);
}

}  // namespace

double lnmax_moment(double inverse_scale, int order) {
  check_moment(inverse_scale, order);
  return std::min(2 * inverse_scale * inverse_scale * order * (order + 1), 2 * inverse_scale * order);
}

double lnmax_flip_probability(std::span<const double> votes, double inverse_scale) {
  require(votes.size() >= 2, "{} classes; wanted at least 2", votes.size());
  check_moment(inverse_scale, 1);
  const auto winner = std::max_element(votes.begin(), votes.end());
  double sum = 0;
  for (auto it = votes.begin(); it != votes.end(); ++it) {
    const double gap = inverse_scale * (*winner - *it);
    if (it != winner) sum += (2 + gap) / 4 * std::exp(-gap);
  }
  return std::min(sum, 1 - 1 / static_cast<double>(votes.size()));
}

double lnmax_moment_data_dependent(double flip_probability, double inverse_scale, int order) {
  const double whole = lnmax_moment(inverse_scale, order), q = flip_probability;
  require(q >= 0 && q <= 1, "probability is {}; wanted a number in [0, 1]", q);
  const double e = std::exp(2 * inverse_scale);
  // The theorem wants q < (e^2g - 1) / (e^4g - 1) = 1 / (e^2g + 1).
  if (!(q < 1 / (e + 1))) return whole;
  const double agree = (1 - q) * std::pow((1 - q) / (1 - e * q), order), differ = q * std::pow(e, order);
  return std::min(whole, std::log(agree + differ));
}

double epsilon_from_lnmax_moments(std::span<const double> moments, double delta) {
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  double best = std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < moments.size(); ++i) {
    best = std::min(best, (moments[i] - std::log(delta)) / static_cast<double>(i + 1));
  }
  return best;
}

double published_lnmax_epsilon(int64_t queries, double inverse_scale, double delta) {
  require(queries >= 0, "queries is {}; wanted at least 0", queries);
  std::vector<double> moments;
  for (int order = 1; order <= kMostLnmaxMoments; ++order) {
    moments.push_back(static_cast<double>(queries) * lnmax_moment(inverse_scale, order));
  }
  return epsilon_from_lnmax_moments(moments, delta);
}

double published_lnmax_inverse_scale(int64_t queries, double epsilon, double delta) {
  const auto says = [&](double inverse_scale) { return published_lnmax_epsilon(queries, inverse_scale, delta); };
  double low = 1e-9, high = 100;
  require(says(low) <= epsilon, "PATE's formula gives epsilon {} without any signal: ask for more than {}", says(low),
          epsilon);
  while (high - low > 1e-12 * high) {
    const double middle = 0.5 * (low + high);
    (says(middle) <= epsilon ? low : high) = middle;
  }
  return low;
}

}  // namespace graphveil::account
