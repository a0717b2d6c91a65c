// Pairs of nodes to tell apart, edges and others: what learning to reconstruct a graph is judged on.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/graph.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/tape.h"

namespace graphveil::learn {

// For each epoch up to 50000 edges u -> v, all of them where there are no more, and with each a pair w -> v of any
// other node. The graph must have an edge and outlive it.
class EdgePairs {
 public:
  EdgePairs(const graph::Graph& graph, const Seed& seed);
  // Draws the pairs of an epoch, by its number.
  void draw(int64_t epoch);
  // Mean over the edges of -log sigmoid(<h_u, h_v>) - log(1 - sigmoid(<h_w, h_v>)), for embeddings h of all nodes. What
  // was drawn must stay until the step is over.
  nn::Var loss(nn::Var embeddings) const;

 private:
  const graph::Graph& graph_;
  RandomStream random_;
  std::vector<int64_t> offsets_;
  std::vector<int32_t> sources_, labels_;
  nn::Edges pairs_;
};

}  // namespace graphveil::learn
