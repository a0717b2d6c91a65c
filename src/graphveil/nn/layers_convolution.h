// Convolutions: a node's new row from its own and its neighbors' rows. A first layer may read sparse features.
#pragma once

#include <string>

#include "graphveil/nn/edges.h"
#include "graphveil/nn/layers_dense.h"

namespace graphveil::nn {

// out = A (x W) + b, with A the weighted adjacency of `edges`: self-loops with symmetric weights give Kipf and
// Welling 2017, with inverse-degree weights the row-normalized variant. Glorot weights, zero bias, as PyG.
class GcnLayer {
 public:
  GcnLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;
  // For an L2 penalty on the weights.
  Var weight(Tape& tape) const { return tape.parameter(*parameters_, weight_); }
  ParameterId weight_id() const { return weight_; }

 private:
  Parameters* parameters_;
  ParameterId weight_, bias_;
};

enum class Aggregator { Sum, Mean, Max };

// out = x W_self + aggregate(x) W_neighbors + b (Hamilton et al. 2017). Sum and Mean read sparse features too;
// Max throws Unsupported on them. The edges carry inverse-degree weights for Mean and none for Sum and Max;
// throws InvalidArgument otherwise.
class SageLayer {
 public:
  SageLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Aggregator aggregator,
            RandomStream& random, bool bias = true);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  Aggregator aggregator_;
  Linear own_, neighbors_;
};

// out = W2 act(W1 ((1 + e) x + sum of neighbors) + b1) + b2 (Xu et al. 2019), e trained from 0 when `train_epsilon`.
// The edges carry no weights and no self-loops.
class GinLayer {
 public:
  GinLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Activation activation,
           bool train_epsilon, RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  Parameters* parameters_;
  Activation activation_;
  std::optional<ParameterId> epsilon_;
  Linear first_, second_;
};

// One row per graph from the rows of its nodes, which follow each other: graph s has rows
// [offsets[s], offsets[s + 1]).
Var readout(Var x, std::span<const int64_t> offsets, Aggregator aggregator);

}  // namespace graphveil::nn
