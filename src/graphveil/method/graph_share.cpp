#include "graphveil/method/graph_share.h"

#include <algorithm>
#include <cmath>

namespace graphveil::method {
namespace {

// Fitted on cora, amazon_photo and Rutgers89 and on halves and quarters of the last two: docs/methods/lap.md.
constexpr double kNeed = 0.8, kNeedPower = 2, kSignal = 0.7;            // own rows alone
constexpr double kListNeed = 2, kListNeedPower = 1, kListSignal = 0.2;  // own lists too
constexpr double kLeast = 0.001, kMost = 0.95;

}  // namespace

double graph_share(double mu, const Setting& setting, std::optional<double> mean_degree, bool own_list) {
  const auto degree = static_cast<double>(setting.protect_degree);
  const double weights = static_cast<double>(setting.facts.features) * static_cast<double>(setting.facts.classes);
  const double need = weights / (static_cast<double>(setting.facts.train_nodes) * mu);
  const double signal = mean_degree.value_or(degree / 2) * mu / std::sqrt(degree);
  const double for_need =
      own_list ? 1 / (1 + std::pow(need / kListNeed, kListNeedPower)) : 1 / (1 + std::pow(need / kNeed, kNeedPower));
  const double for_signal = 1 / (1 + std::pow((own_list ? kListSignal : kSignal) / signal, 2));
  return std::clamp(for_need * for_signal, kLeast, kMost);
}

}  // namespace graphveil::method
