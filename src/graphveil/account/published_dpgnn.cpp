#include "graphveil/account/published_dpgnn.h"

#include <algorithm>
#include <limits>

#include "graphveil/account/rdp.h"
#include "graphveil/account/rdp_bounds.h"
#include "graphveil/base/error.h"

namespace graphveil::account {

int64_t dpgnn_occurrences(int64_t max_degree, int64_t layers) {
  require(max_degree >= 0 && layers >= 0, "max degree {}, layers {}; wanted both >= 0", max_degree, layers);
  int64_t total = 0, power = 1;
  for (int64_t i = 0; i <= layers; ++i) {
    total += power;
    require(max_degree == 0 || power <= (int64_t{1} << 40) / std::max<int64_t>(max_degree, 1),
            "max degree {} over {} layers gives too many occurrences", max_degree, layers);
    power *= max_degree;
  }
  return total;
}

double published_dpgnn_epsilon(const DpGnnSetting& setting, double noise_multiplier, double delta) {
  require(delta > 0 && delta < 1, "delta is {}; wanted a number in (0, 1)", delta);
  require(noise_multiplier >= 0, "noise multiplier is {}; wanted a number >= 0", noise_multiplier);
  require(setting.steps >= 0, "steps is {}; wanted at least 0", setting.steps);
  if (setting.steps == 0) return 0;
  const int64_t touched = dpgnn_occurrences(setting.max_degree, setting.layers);
  double best = std::numeric_limits<double>::infinity();
  for (int tenths = 11; tenths <= 99; ++tenths) {
    const double order = 0.1 * tenths;
    const double step =
        rdp_hypergeometric_group(noise_multiplier, setting.training_nodes, touched, setting.batch_size, order);
    best = std::min(best, epsilon_from_renyi(order, static_cast<double>(setting.steps) * step, delta));
  }
  return best;
}

int64_t published_dpgnn_steps(DpGnnSetting setting, double noise_multiplier, double epsilon, double delta,
                              int64_t most) {
  require(epsilon >= 0, "epsilon is {}; wanted a number >= 0", epsilon);
  require(most >= 0, "most steps is {}; wanted at least 0", most);
  int64_t enough = 0, too_many = most + 1;
  while (too_many - enough > 1) {
    setting.steps = enough + (too_many - enough) / 2;
    (published_dpgnn_epsilon(setting, noise_multiplier, delta) <= epsilon ? enough : too_many) = setting.steps;
  }
  return enough;
}

}  // namespace graphveil::account
