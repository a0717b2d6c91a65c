#include "graphveil/nn/layers_attention.h"

#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::nn {
namespace {

Real inverse_root(int64_t width) { return static_cast<Real>(1 / std::sqrt(static_cast<double>(width))); }

}  // namespace

GatLayer::GatLayer(Parameters& parameters, const std::string& name, const GatOptions& options, RandomStream& random)
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

Var GatLayer::operator()(const Input& x, const Edges& edges) const {
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

TransformerLayer::TransformerLayer(Parameters& parameters, const std::string& name, const TransformerOptions& options,
                                   RandomStream& random)
    : options_(options),
      key_((parameters.next_group(), parameters), name + ".key", options.in, options.heads * options.width, random),
      query_(parameters, name + ".query", options.in, options.heads * options.width, random),
      value_(parameters, name + ".value", options.in, options.heads * options.width, random),
      skip_(parameters, name + ".skip", options.in, options.concat ? options.heads * options.width : options.width,
            random) {
  parameters.next_group();
}

Var TransformerLayer::operator()(const Input& x, const Edges& edges) const {
  const Var scores = edge_dot(key_(x), query_(x), edges, options_.heads, inverse_root(options_.width));
  const Var weights = dropout(edge_softmax(scores, edges), options_.attention_dropout);
  Var out = attend(value_(x), weights, edges);
  if (!options_.concat) out = mean_of_blocks(out, options_.heads);
  return add(skip_(x), out);
}

}  // namespace graphveil::nn
