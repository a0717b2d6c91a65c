// Features drawn from the class of a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/features.h"

namespace graphveil::graph {

// Gaussian mixture: node v has center[class of v] + N(0, I), the centers random with norm about `separation`.
struct GaussianFeatures {
  int64_t columns = 1;
  double separation = 1;
};

// One-hot values in groups, as of a questionnaire: in each group a node has at most one value, drawn from a
// distribution over the group's columns that depends on the class the more the larger `signal` is.
struct OneHotFeatures {
  std::vector<int32_t> group_columns;
  std::vector<double> missing;  // share of nodes without a value, per group
  double signal = 1;
};

// One row per label, labels in [0, classes). The same for the same seed and any number of threads.
Features draw_features(const GaussianFeatures& model, std::span<const int32_t> labels, int32_t classes,
                       const Seed& seed);
Features draw_features(const OneHotFeatures& model, std::span<const int32_t> labels, int32_t classes, const Seed& seed);

}  // namespace graphveil::graph
