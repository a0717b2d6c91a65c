#include "graphveil/method/dpgpl/teacher_epsilon.h"

#include <algorithm>

#include <fmt/format.h>

#include "graphveil/account/published_pate.h"
#include "graphveil/account/rdp.h"

namespace graphveil::method {

std::vector<double> log_flips(const bound::Votes& votes, std::span<const double> weights, int32_t classes,
                              double noise_stddev) {
  std::vector<double> out;
  if (votes.empty()) return out;
  for (size_t q = 0; q < votes.front().size(); ++q) {
    std::vector<double> counts(static_cast<size_t>(classes), 0);
    for (size_t t = 0; t < votes.size(); ++t) {
      if (votes[t][q] != bound::kNoVote) counts[static_cast<size_t>(votes[t][q])] += weights[t];
    }
    out.push_back(account::gnmax_log_flip_probability(counts, noise_stddev));
  }
  return out;
}

double teacher_epsilon(std::span<const double> log_flips, double weight, double noise_stddev, double delta) {
  if (log_flips.empty()) return 0;
  return account::minimize_over_orders([&](double order) {
    double divergence = 0;
    for (const double log_flip : log_flips) {
      divergence += account::rdp_gnmax_data_dependent(log_flip, noise_stddev / weight, order);
    }
    return account::classic_epsilon_from_renyi(order, divergence, delta);
  });
}

std::map<std::string, double> spread_over_teachers(std::span<const double> log_flips, std::span<const double> weights,
                                                   double noise_stddev, double delta) {
  std::map<double, double> of_weight;
  std::vector<double> all;
  for (const double w : weights) {
    const auto [at, fresh] = of_weight.try_emplace(w, 0);
    if (fresh) at->second = teacher_epsilon(log_flips, w, noise_stddev, delta);
    all.push_back(at->second);
  }
  std::map<std::string, double> out;
  if (all.empty()) return out;
  std::ranges::sort(all);
  constexpr size_t kTenths = 10;
  for (size_t i = 0; i <= kTenths; ++i) {
    out[fmt::format("data-dependent epsilon of teachers, quantile {:.1f}", 0.1 * static_cast<double>(i))] =
        all[(all.size() - 1) * i / kTenths];
  }
  return out;
}

size_t answered_within(std::span<const double> log_flips, double largest_weight, double noise_stddev, double delta,
                       double limit) {
  // The epsilon of more queries is no smaller: halves find the first that is too many.
  size_t fits = 0, beyond = log_flips.size() + 1;
  while (beyond - fits > 1) {
    const size_t middle = fits + (beyond - fits) / 2;
    (teacher_epsilon(log_flips.first(middle), largest_weight, noise_stddev, delta) <= limit ? fits : beyond) = middle;
  }
  return fits;
}

}  // namespace graphveil::method
