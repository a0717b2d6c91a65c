// How well scores tell two kinds apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/nn/metrics.h"

namespace graphveil::attack {

struct RocPoint {
  double false_positives, true_positives;  // rates
};

struct Roc {
  double auc = 0.5;
  double tpr_at_1_percent = 0, tpr_at_01_percent = 0;  // false positives
  std::vector<RocPoint> curve = {};                    // from (0, 0) to (1, 1), at most 240 points, dense at low rates
};

// positive[i] != 0: the attack should score i higher. Throws InvalidArgument unless both kinds are there.
Roc roc(std::span<const double> scores, std::span<const uint8_t> positive);

// Over repeats.
struct RocSummary {
  nn::MeanInterval auc, tpr_at_1_percent, tpr_at_01_percent;
  std::vector<Roc> repeats;
};
RocSummary summarize(std::vector<Roc> repeats);

}  // namespace graphveil::attack
