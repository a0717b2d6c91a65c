// Features of any width brought to a chosen one, by a basis fitted on public data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/features.h"
#include "graphveil/nn/state.h"

namespace graphveil::learn {

// x ↦ s (x / ‖x‖) V: V the leading right singular vectors of the public rows, each divided by its norm; s makes the
// mean norm of the public rows sqrt(dim), so that an entry is about 1 in size. Where the data has fewer directions than
// asked for, the rest is zero: the result is always as wide as asked.
//
// Guarantee: made from public data alone, so a record's row depends on that record and nothing else.
class FeatureBasis {
 public:
  FeatureBasis() = default;
  FeatureBasis(const graph::Features& public_features, int64_t dim, const Seed& seed);

  // One row per record. Throws InvalidArgument unless the features are as wide as those it was fitted on.
  Matrix operator()(const graph::Features& features) const;
  FeatureBasis clone() const;
  int64_t inputs() const { return map_.rows(); }
  int64_t dim() const { return map_.cols(); }

  void save(nn::State& state, const std::string& prefix) const;
  // Throws BadInput when it is missing, or not finite.
  static FeatureBasis loaded(const nn::State& state, const std::string& prefix);

 private:
  Matrix map_;  // inputs x dim: s V
};

}  // namespace graphveil::learn
