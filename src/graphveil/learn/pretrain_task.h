// What a backbone learns from a public graph without labels: a loss to go down.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/graph/graph.h"
#include "graphveil/learn/backbone.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/parameters.h"
#include "graphveil/nn/tape.h"

namespace graphveil::learn {

// The public graph as tasks read it. Does not own.
struct PretrainGraph {
  const graph::Graph& graph;
  ConstMatrixView x;       // features, as wide as the backbone's input
  const nn::Edges& edges;  // in the form that the backbone wants
};

// Tasks keep references to the backbone and the graph.
class PretrainTask {
 public:
  virtual ~PretrainTask() = default;
  // The loss of one epoch on the whole graph, 1 x 1. Draws by the epoch's number.
  virtual nn::Var loss(nn::Tape& tape, int64_t epoch) = 0;
  // What is trained beside the backbone, and dropped when that is done.
  virtual std::vector<nn::Parameters*> trained() { return {&head_}; }

 protected:
  nn::Parameters head_;
};

}  // namespace graphveil::learn
