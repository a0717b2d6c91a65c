// Batch normalization as a layer: trained scale and shift, running statistics.
#pragma once

#include <string>

#include "graphveil/nn/ops_normalize.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/state.h"

namespace graphveil::nn {

// Scale starts at 1, shift at 0, as in PyTorch. It mixes rows, so DP-SGD refuses it.
class BatchNorm {
 public:
  BatchNorm(Parameters& parameters, const std::string& name, int64_t columns);
  // Followed by the activation, if there is one.
  Var operator()(Var x, std::optional<Activation> activation = std::nullopt);

  // The running statistics, under `prefix` + the layer's name.
  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  Parameters* parameters_;
  std::string name_;
  ParameterId scale_, shift_;
  BatchNormState statistics_;
};

}  // namespace graphveil::nn
