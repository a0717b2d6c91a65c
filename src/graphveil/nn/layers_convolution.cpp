#include "graphveil/nn/layers_convolution.h"

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_row_parameter.h"
#include "graphveil/nn/ops_segment.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::nn {

GcnLayer::GcnLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, RandomStream& random)
    : parameters_(&parameters) {
  parameters.next_group();
  weight_ = parameters.add(name + ".weight", in, out);
  bias_ = parameters.add(name + ".bias", 1, out);
  fill_glorot(parameters.value(weight_), in, out, random);
  parameters.next_group();
}

Var GcnLayer::operator()(const Input& x, const Edges& edges) const {
  require(edges.weighted(), "a GCN layer wants weighted edges");
  const Var bias = x.tape().parameter(*parameters_, bias_);
  return add_bias(aggregate(x.times(weight(x.tape())), edges), bias);
}

SageLayer::SageLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Aggregator aggregator,
                     RandomStream& random, bool bias)
    : aggregator_(aggregator),
      own_((parameters.next_group(), parameters), name + ".own", in, out, random, bias),
      neighbors_(parameters, name + ".neighbors", in, out, random, false) {
  parameters.next_group();
}

Var SageLayer::operator()(const Input& x, const Edges& edges) const {
  require(edges.weighted() == (aggregator_ == Aggregator::Mean),
          "GraphSAGE wants inverse-degree weights for the mean, and none for sum and maximum");
  if (aggregator_ == Aggregator::Max) {
    const Var h = x.dense();
    // A node without in-edges is an empty segment: its zero row belongs to the node's own sample.
    const auto owners = h.tape->per_sample() ? h.tape->owners(h) : std::span<const int32_t>{};
    const Var largest = segment_max(gather_rows(h, edges.in().indices), edges.in().offsets, owners);
    return add(own_(h), neighbors_(largest));
  }
  // Sums commute with products, and the product is narrower.
  return add(own_(x), aggregate(neighbors_.product(x), edges));
}

GinLayer::GinLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Activation activation,
                   bool train_epsilon, RandomStream& random)
    : parameters_(&parameters),
      activation_(activation),
      first_((parameters.next_group(), parameters), name + ".first", in, out, random),
      second_(parameters, name + ".second", out, out, random) {
  if (train_epsilon) epsilon_ = parameters.add(name + ".epsilon", 1, 1);
  parameters.next_group();
}

Var GinLayer::operator()(const Input& x, const Edges& edges) const {
  require(!edges.weighted(), "a GIN layer wants edges without weights");
  // W1 ((1 + e) x + sum of neighbors) = (1 + e) W1 x + sum of W1 neighbors.
  const Var projected = first_.product(x);
  const Var own = epsilon_ ? scale_by_one_plus(projected, x.tape().parameter(*parameters_, *epsilon_)) : projected;
  const Var mixed = first_.biased(add(own, aggregate(projected, edges)));
  return second_(activate(mixed, activation_));
}

Var readout(Var x, std::span<const int64_t> offsets, Aggregator aggregator) {
  switch (aggregator) {
    case Aggregator::Sum: return segment_sum(x, offsets);
    case Aggregator::Mean: return segment_mean(x, offsets);
    case Aggregator::Max: return segment_max(x, offsets);
  }
  fail(ErrorKind::Internal, "unknown aggregator");
}

}  // namespace graphveil::nn
