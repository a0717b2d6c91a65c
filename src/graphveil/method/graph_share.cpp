#include "graphveil/method/graph_share.h"

#include <algorithm>
#include <cmath>

namespace graphveil::method {
namespace {

// Fitted on cora, amazon_photo and Rutgers89 and on halves and quarters of the last two: docs/methods/lap.md.
constexpr double kNeed = 0.012, kNeedPower = 2;        // own rows alone
constexpr double kListNeed = 0.03, kListNeedPower = 1;  // own lists too
constexpr double kSignal = 0.5;
constexpr double kLeast = 0.001, kMost = 0.95;

}  // namespace

double graph_share(double mu, const Setting& setting, std::optional<double> mean_degree, bool own_list) {
  const auto degree = static_cast<double>(setting.protect_degree);
  const double weights = static_cast<double>(setting.facts.features) * static_cast<double>(setting.facts.classes);
  const double need = std::sqrt(weights) / (static_cast<double>(setting.facts.train_nodes) * mu);
  const double signal = mean_degree.value_or(degree / 2) * mu / std::sqrt(degree);
  const double for_need =
      own_list ? 1 / (1 + std::pow(need / kListNeed, kListNeedPower)) : 1 / (1 + std::pow(need / kNeed, kNeedPower));
  const double for_signal = 1 / (1 + std::pow(kSignal / signal, 2));
  return std::clamp(for_need * for_signal, kLeast, kMost);
}

}  // namespace graphveil::method
