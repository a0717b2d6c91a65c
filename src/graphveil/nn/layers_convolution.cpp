#include "graphveil/nn/layers_convolution.h"

#include "graphveil/base/error.h"
#include "graphveil/nn/ops_graph.h"
#include "graphveil/nn/ops_segment.h"
#include "graphveil/nn/ops_shape.h"

namespace graphveil::nn {

SageLayer::SageLayer(Parameters& parameters, const std::string& name, int64_t in, int64_t out, Aggregator aggregator,
                     RandomStream& random, bool bias)
    : aggregator_(aggregator),
      own_((parameters.next_group(), parameters), name + ".own", in, out, random, bias),
      neighbors_(parameters, name + ".neighbors", in, out, random, false) {
  parameters.next_group();
}

void SageLayer::check(const Edges& edges) const {
  require(edges.weighted() == (aggregator_ == Aggregator::Mean),
          "GraphSAGE wants inverse-degree weights for the mean, and none for sum and maximum");
}

Var SageLayer::operator()(const Input& x, const Edges& edges) const {
  check(edges);
  if (aggregator_ == Aggregator::Max) {
    const Var h = x.dense();
    // A node without in-edges is an empty segment: its zero row belongs to the node's own sample.
    const auto owners = h.tape->per_sample() ? h.tape->owners(h) : std::span<const int32_t>{};
    const Var largest = segment_max(gather_rows(h, edges.in().indices), edges.in().offsets, owners);
    return add(own_(h), neighbors_(largest));
  }
  // Sums commute with products, and the product is narrower.
  const Var own = own_(x), sent = neighbors_.product(x);
  return own.tape->per_sample() ? add(own, aggregate(sent, edges)) : aggregate_onto(own, sent, edges);
}

Var SageLayer::rows(Var x, const Edges& edges, std::span<const int32_t> nodes) const {
  check(edges);
  require(aggregator_ != Aggregator::Max, "the maximum is taken for all nodes at once");
  return aggregate_rows_onto(own_(gather_rows(x, nodes)), neighbors_.product(x), edges, nodes);
}

}  // namespace graphveil::nn
