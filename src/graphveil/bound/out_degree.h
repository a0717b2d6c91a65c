// Graphs on which one node reaches only so many others, and the function of that: how many samples it is in.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "graphveil/base/random.h"
#include "graphveil/bound/clipping.h"
#include "graphveil/bound/relation.h"
#include "graphveil/graph/graph.h"

namespace graphveil::bound {

// A graph and how far one node reaches in it. Made only by the functions below, each of which proves its bound.
class BoundedGraph {
 public:
  const graph::Graph& graph() const { return graph_; }
  Relation relation() const { return relation_; }
  int64_t max_out_degree() const { return max_out_degree_; }
  // What a sampler that draws rooted samples of `hops` hops at `rate` accounts for: 1 + K + ... + K^hops samples hold a
  // node, and all but its own stand changed in their place when it is blank. Throws Unsupported for more hops than the
  // bound is proved for.
  SampleDraw draw(double rate, int64_t hops) const;
  // The graph without the edges between nodes of different parts. Parts are public, so every bound still holds.
  BoundedGraph within_parts(std::span<const int32_t> part) const;

 private:
  BoundedGraph(graph::Graph graph, Relation relation, int64_t max_out_degree, int64_t most_hops)
      : graph_(std::move(graph)), relation_(relation), max_out_degree_(max_out_degree), most_hops_(most_hops) {}
  friend BoundedGraph bound_out_degree(const graph::Graph&, int64_t, const Seed&);
  friend BoundedGraph declared_degrees(const graph::Graph&, int64_t);
  friend BoundedGraph for_protected_degree(const graph::Graph&, int64_t);

  graph::Graph graph_;
  Relation relation_;
  int64_t max_out_degree_;
  int64_t most_hops_;
};

// The draw that such samples have on a graph bounded by K, for plans that have not seen it.
SampleDraw rooted_draw(double rate, int64_t max_out_degree, int64_t hops);

// A uniform choice of at most max_out_degree (>= 1) outgoing edges of each node, by a stream named (seed, node).
//
// Guarantee (record): the list kept for u reads nothing but u's own list and u's own stream, so blanking one record
// changes that record's list and no other. (Capping in-degrees, or one stream for all nodes, is not stable: removing
// one node reroutes the edges of others. Under `node` this is not stable either: a blank node leaves others' lists.)
// The result is in general not symmetric.
BoundedGraph bound_out_degree(const graph::Graph& graph, int64_t max_out_degree, const Seed& seed);

// The graph as it is, every node of which has at most max_degree edges in and out, as its owner declared.
//
// Guarantee (node): blanking a node takes it out of the samples that hold it, at most 1 + K + ... + K^r; a sample that
// does not hold it does not change. Throws InvalidArgument when the declaration is not true: nothing is trimmed, since
// a list cut to size depends on who else is on it.
BoundedGraph declared_degrees(const graph::Graph& graph, int64_t max_degree);

// The graph as it is, for samples of one hop.
//
// Guarantee (node): a node with d outgoing edges is in its own sample and in those of the d nodes it points to; the
// edges into it change its own sample alone. So the bound with K = protect_degree holds for every node that has at most
// so many outgoing edges, and nothing is assumed of the graph.
BoundedGraph for_protected_degree(const graph::Graph& graph, int64_t protect_degree);

// The largest out-degree; 0 for a graph without edges.
int64_t max_out_degree(const graph::Graph& graph);

}  // namespace graphveil::bound
