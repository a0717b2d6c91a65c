// The sums that a private step collects, one number per parameter, on the grid of its clipping group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/bound/clipping.h"
#include "graphveil/nn/block_sums.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// Written by operations, read by nobody: only ClippedGradient takes them out, into a Bounded.
class ClippedSums {
 public:
  // Where the sum of this parameter's gradients goes. Throws Unsupported for a parameter of another set.
  GridSum of(Var parameter) const;

 private:
  friend class ClippedGradient;
  friend class ClippedGradientPeer;  // of the tests
  ClippedSums(const Parameters& parameters, const bound::Clipping& clipping)
      : parameters_(parameters), clipping_(clipping) {}
  void start();

  const Parameters& parameters_;
  const bound::Clipping& clipping_;
  mutable std::vector<double> values_;
};

}  // namespace graphveil::nn
