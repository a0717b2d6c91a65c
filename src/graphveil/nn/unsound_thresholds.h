// The one way to read norms of private gradients, for a paper that does.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "graphveil/nn/clipped_gradient.h"

namespace graphveil::nn {

// Numbers for reproducing methods whose clip norms are read off private gradients (Daigavane et al. 2021). What is
// decided by these numbers carries no guarantee: nothing pays for them.
class UnsoundThresholds {
 public:
  // The norms of the gradients of the samples last added, in one group of parameters.
  static std::vector<double> norms(const ClippedGradient& clipped, int64_t group) {
    std::vector<double> norms;
    const auto groups = static_cast<size_t>(clipped.clipping().groups());
    for (size_t i = static_cast<size_t>(group); i < clipped.norms_by_sample_.size(); i += groups) {
      norms.push_back(std::sqrt(clipped.norms_by_sample_[i]));
    }
    return norms;
  }
};

}  // namespace graphveil::nn
