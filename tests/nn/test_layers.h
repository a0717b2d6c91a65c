// Networks' layers that only tests need: they put every operation to use in samples of several rows.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/layers_convolution.h"
#include "graphveil/nn/layers_dense.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/ops_segment.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::nn {

struct MlpOptions {
  std::vector<int64_t> widths;  // input, hidden ..., output: at least two
  Activation activation = Activation::Relu;
  double dropout = 0;          // before every layer but the first
  double input_dropout = 0;    // before the first
  bool activate_last = false;  // also after the last layer
};

class Mlp {
 public:
  Mlp(Parameters& parameters, const std::string& name, const MlpOptions& options, RandomStream& random);
  Var operator()(const Input& x) const;

 private:
  MlpOptions options_;
  std::vector<Linear> layers_;
};

inline Mlp::Mlp(Parameters& parameters, const std::string& name, const MlpOptions& options, RandomStream& random)
    : options_(options) {
  require(options.widths.size() >= 2, "an MLP has {} widths, want an input and an output", options.widths.size());
  for (size_t l = 0; l + 1 < options.widths.size(); ++l) {
    parameters.next_group();
    layers_.emplace_back(parameters, name + "." + std::to_string(l), options.widths[l], options.widths[l + 1], random);
  }
  parameters.next_group();
}

inline Var Mlp::operator()(const Input& x) const {
  Var h = layers_[0](x.dropped(options_.input_dropout));
  for (size_t l = 1; l < layers_.size(); ++l) {
    h = layers_[l](dropout(activate(h, options_.activation), options_.dropout));
  }
  return options_.activate_last ? activate(h, options_.activation) : h;
}

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

inline GcnLayer::GcnLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out,
                          RandomStream& random)
    : parameters_(&parameters) {
  parameters.next_group();
  weight_ = parameters.add(name + ".weight", in, out);
  bias_ = parameters.add(name + ".bias", 1, out);
  fill_glorot(parameters.value(weight_), in, out, random);
  parameters.next_group();
}

inline Var GcnLayer::operator()(const Input& x, const Edges& edges) const {
  require(edges.weighted(), "a GCN layer wants weighted edges");
  const Var bias = x.tape().parameter(*parameters_, bias_);
  return add_bias(aggregate(x.times(weight(x.tape())), edges), bias);
}

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

inline GinLayer::GinLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out,
                          Activation activation, bool train_epsilon, RandomStream& random)
    : parameters_(&parameters),
      activation_(activation),
      first_((parameters.next_group(), parameters), name + ".first", in, out, random),
      second_(parameters, name + ".second", out, out, random) {
  if (train_epsilon) epsilon_ = parameters.add(name + ".epsilon", 1, 1);
  parameters.next_group();
}

inline Var GinLayer::operator()(const Input& x, const Edges& edges) const {
  require(!edges.weighted(), "a GIN layer wants edges without weights");
  // W1 ((1 + e) x + sum of neighbors) = (1 + e) W1 x + sum of W1 neighbors.
  const Var projected = first_.product(x);
  const Var own = epsilon_ ? scale_by_one_plus(projected, x.tape().parameter(*parameters_, *epsilon_)) : projected;
  const Var mixed = first_.biased(add(own, aggregate(projected, edges)));
  return second_(activate(mixed, activation_));
}

inline Var readout(Var x, std::span<const int64_t> offsets, Aggregator aggregator) {
  switch (aggregator) {
    case Aggregator::Sum: return segment_sum(x, offsets);
    case Aggregator::Mean: return segment_mean(x, offsets);
    case Aggregator::Max: return segment_max(x, offsets);
  }
  fail(ErrorKind::Internal, "unknown aggregator");
}

enum class Attention {
  Additive,    // leaky_relu(<a_source, h_u> + <a_target, h_v>), slope 0.2 (Velickovic et al. 2018)
  DotProduct,  // <h_u, h_v> / sqrt(width)
};

struct GatOptions {
  int64_t in = 0;
  int64_t width = 0;  // of one head
  int64_t heads = 1;
  bool concat = true;  // heads side by side (out = heads * width), or their mean (out = width)
  Attention attention = Attention::Additive;
  double attention_dropout = 0;
};

// h = x W; out_v = sum over u -> v of softmax_u(score(u, v)) h_u, plus a bias. Wants edges with self-loops, whose
// weights are not read. Glorot weights, zero bias, as PyG.
class GatLayer {
 public:
  GatLayer(Parameters& parameters, const std::string& name, const GatOptions& options, RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  GatOptions options_;
  Parameters* parameters_;
  ParameterId weight_, bias_;
  ParameterId source_ = -1, target_ = -1;  // additive attention only
};

struct TransformerOptions {
  int64_t in = 0;
  int64_t width = 0;  // of one head
  int64_t heads = 1;
  bool concat = true;
  double attention_dropout = 0;
};

// out_v = x_v W_skip + b + sum over u -> v of softmax_u(<key_u, query_v> / sqrt(width)) value_u (Shi et al. 2021,
// PyG's TransformerConv). Weights of the edges are not read.
class TransformerLayer {
 public:
  TransformerLayer(Parameters& parameters, const std::string& name, const TransformerOptions& options,
                   RandomStream& random);
  Var operator()(const Input& x, const Edges& edges) const;

 private:
  TransformerOptions options_;
  Linear key_, query_, value_, skip_;
};

inline Real inverse_root(int64_t width) { return static_cast<Real>(1 / std::sqrt(static_cast<double>(width))); }

inline GatLayer::GatLayer(Parameters& parameters, const std::string& name, const GatOptions& options,
                          RandomStream& random)
    : options_(options), parameters_(&parameters) {
  require(options.heads >= 1 && options.width >= 1, "{} heads of width {}, want at least one of each", options.heads,
          options.width);
  const int64_t total = options.heads * options.width;
  parameters.next_group();
  weight_ = parameters.add(name + ".weight", options.in, total);
  bias_ = parameters.add(name + ".bias", 1, options.concat ? total : options.width);
  if (options.attention == Attention::Additive) {
    source_ = parameters.add(name + ".attention_source", 1, total);
    target_ = parameters.add(name + ".attention_target", 1, total);
    // PyG fills the 1 x heads x width vectors with the fans of their last two sizes.
    fill_glorot(parameters.value(source_), options.heads, options.width, random);
    fill_glorot(parameters.value(target_), options.heads, options.width, random);
  }
  fill_glorot(parameters.value(weight_), options.in, total, random);
  parameters.next_group();
}

inline Var GatLayer::operator()(const Input& x, const Edges& edges) const {
  Tape& tape = x.tape();
  const Var h = x.times(tape.parameter(*parameters_, weight_));
  Var scores;
  if (options_.attention == Attention::Additive) {
    const Var at_source = head_dot(h, tape.parameter(*parameters_, source_), options_.heads);
    const Var at_target = head_dot(h, tape.parameter(*parameters_, target_), options_.heads);
    scores = leaky_relu(edge_add(at_source, at_target, edges));
  } else {
    scores = edge_dot(h, h, edges, options_.heads, inverse_root(options_.width));
  }
  const Var weights = dropout(edge_softmax(scores, edges), options_.attention_dropout);
  Var out = attend(h, weights, edges);
  if (!options_.concat) out = mean_of_blocks(out, options_.heads);
  return add_bias(out, tape.parameter(*parameters_, bias_));
}

inline TransformerLayer::TransformerLayer(Parameters& parameters, const std::string& name,
                                          const TransformerOptions& options, RandomStream& random)
    : options_(options),
      key_((parameters.next_group(), parameters), name + ".key", options.in, options.heads * options.width, random),
      query_(parameters, name + ".query", options.in, options.heads * options.width, random),
      value_(parameters, name + ".value", options.in, options.heads * options.width, random),
      skip_(parameters, name + ".skip", options.in, options.concat ? options.heads * options.width : options.width,
            random) {
  parameters.next_group();
}

inline Var TransformerLayer::operator()(const Input& x, const Edges& edges) const {
  const Var scores = edge_dot(key_(x), query_(x), edges, options_.heads, inverse_root(options_.width));
  const Var weights = dropout(edge_softmax(scores, edges), options_.attention_dropout);
  Var out = attend(value_(x), weights, edges);
  if (!options_.concat) out = mean_of_blocks(out, options_.heads);
  return add(skip_(x), out);
}

}  // namespace graphveil::nn
