// Linear layers with an activation between them: the MLPs that the methods are built from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/nn/layers_batch_norm.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::learn {

using nn::Activation;

// Declares --activation.
void declare_activation(Options& options, Activation& activation);

struct StackOptions {
  std::vector<int64_t> widths;  // input, hidden ..., output
  Activation activation = Activation::Selu;
  double dropout = 0;       // after each activation
  bool batch_norm = false;  // before each activation; the layer before it then needs no bias
  bool first_bias = true;   // whether the first layer has a bias
  bool last_bias = true;    // whether the last layer has a bias
};

// Linear, then (batch norm, activation, dropout, linear) for each further width. One width: the identity.
class DenseStack {
 public:
  DenseStack(nn::Parameters& parameters, const std::string& name, const StackOptions& options, RandomStream& random);
  nn::Var operator()(const nn::Input& x);
  // Whether that writes to the tape alone: batch norm keeps statistics.
  bool steps_keep_apart() const { return norms_.empty(); }
  void save(nn::State& state, const std::string& prefix) const;
  void load(const nn::State& state, const std::string& prefix);

 private:
  StackOptions options_;
  std::vector<nn::Linear> layers_;
  std::vector<nn::BatchNorm> norms_;
};

// input, then `layers` - 1 times `hidden`, then `output`.
std::vector<int64_t> stack_widths(int64_t input, int64_t layers, int64_t hidden, int64_t output);

}  // namespace graphveil::learn
