// The label of a noisy maximum of posteriors: priced as a label release (account/noisy_argmax.h).
#include <algorithm>
#include <optional>
#include <utility>

#include "graphveil/kernels/grid_noise.h"
#include "graphveil/mechanism/release_parts.h"

namespace graphveil::mechanism {
namespace {

// Posteriors are rounded toward zero to the grid: what is left of them still has sum at most 1, for which the lemma
// holds as well. Noise in whole steps and ties are part of the price.
constexpr double kStep = account::kArgmaxStep;

void add_noise(std::span<int64_t> steps, account::ArgmaxNoise noise, double scale, const kernels::StreamName& stream) {
  switch (noise) {
    case account::ArgmaxNoise::Laplace: return kernels::add_laplace(steps, scale / kStep, stream);
    case account::ArgmaxNoise::Gaussian: return kernels::add_gaussian(steps, scale / kStep, stream);
    case account::ArgmaxNoise::Gumbel: {
      std::vector<int64_t> drawn(steps.size());
      kernels::fill_gumbel_grid(drawn, scale / kStep, stream);
      for (size_t i = 0; i < steps.size(); ++i) steps[i] += drawn[i];
      return;
    }
  }
}

// The log-odds of many releases of one kind are found once: it takes an integration.
double log_odds_of(account::ArgmaxNoise noise, double scale, int64_t classes) {
  struct Found {
    account::ArgmaxNoise noise;
    double scale;
    int64_t classes;
    double log_odds;
  };
  thread_local std::optional<Found> last;
  if (!last || last->noise != noise || last->scale != scale || last->classes != classes) {
    last = Found{noise, scale, classes, account::noisy_argmax_log_odds(noise, scale, classes)};
  }
  return last->log_odds;
}

}  // namespace

Noisy<int32_t> Release::noisy_argmax(const std::string& label, bound::Bounded<bound::Posterior> input,
                                     account::ArgmaxNoise noise, double scale) {
  const account::RandomizedResponse planned = planned_as<account::RandomizedResponse>(line(label));
  const std::vector<double>& p = input.value_.probabilities;
  require(static_cast<int64_t>(p.size()) == planned.classes, "'{}': {} probabilities for {} classes", label, p.size(),
          planned.classes);
  const double needed = log_odds_of(noise, scale, planned.classes);
  require(needed <= planned.log_odds, "'{}': noise of scale {} has log-odds {}, the plan allows {}", label, scale,
          needed, planned.log_odds);
  spend(label, input.sensitivity());
  if (observer_ != nullptr) observer_->saw(label, p, 1, input.sensitivity());
  std::vector<int64_t> steps;
  for (const double probability : p) steps.push_back(static_cast<int64_t>(probability / kStep));
  if (door_ == Door::Private) {
    const std::string name = purpose(label);
    add_noise(steps, noise, scale, {seed_, name, point_.draws++});
  }
  const auto largest = static_cast<int32_t>(std::max_element(steps.begin(), steps.end()) - steps.begin());
  return finish_label(label, largest, scale);
}

}  // namespace graphveil::mechanism
