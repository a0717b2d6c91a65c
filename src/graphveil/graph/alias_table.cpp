#include "graphveil/graph/alias_table.h"

#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::graph {

AliasTable::AliasTable(std::span<const double> weights) : slots_(weights.size()) {
  require(weights.size() <= size_t{INT32_MAX}, "{} weights are too many", weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    require(std::isfinite(weights[i]) && weights[i] >= 0, "weight {} is {}, want at least 0", i, weights[i]);
    total_ += weights[i];
  }
  require(total_ > 0, "weights add up to {}, want more than 0", total_);

  // Vose: a slot of less than average weight is filled up by one of more.
  const double scale = static_cast<double>(weights.size()) / total_;
  std::vector<double> rest(weights.size());
  std::vector<int32_t> small, large;
  for (size_t i = 0; i < weights.size(); ++i) {
    rest[i] = weights[i] * scale;
    slots_[i].alias = static_cast<int32_t>(i);
    (rest[i] < 1 ? small : large).push_back(static_cast<int32_t>(i));
  }
  while (!small.empty() && !large.empty()) {
    const int32_t poor = small.back();
    const int32_t rich = large.back();
    small.pop_back();
    slots_[poor] = {static_cast<uint32_t>(std::ldexp(rest[poor], 32)), rich};
    rest[rich] -= 1 - rest[poor];
    if (rest[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

}  // namespace graphveil::graph
