// What tests may see of a ClippedGradient and nobody else: the sum before it is noised, the norms.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "graphveil/nn/clipped_gradient.h"

namespace graphveil::nn {

class ClippedGradientPeer {
 public:
  static const std::vector<double>& sum(const ClippedGradient& clipped) { return clipped.sums_.values_; }
  // Of the samples last added.
  static double norm(const ClippedGradient& clipped, int64_t sample, int64_t group = 0) {
    return std::sqrt(clipped.norms_by_sample_[static_cast<size_t>(sample * clipped.clipping().groups() + group)]);
  }
  static const std::vector<int64_t>& rows_per_sum(const ClippedGradient& clipped) { return clipped.rows_per_sum_; }
};

}  // namespace graphveil::nn
