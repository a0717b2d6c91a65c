// Edge prediction, as GPPT pre-trains (Sun et al. 2022): tell the edges of the graph from pairs drawn at random.
#pragma once

#include <vector>

#include "graphveil/learn/edge_pairs.h"
#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

//   H = f(X, A)
//   loss = mean over edges u -> v of -log sigmoid(<h_u, h_v>) - log(1 - sigmoid(<h_w, h_v>)), w any other node
// Of a large graph 50000 edges, drawn anew for each epoch.
class EdgePrediction final : public PretrainTask {
 public:
  EdgePrediction(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed);
  nn::Var loss(nn::Tape& tape, int64_t epoch) override;
  std::vector<nn::Parameters*> trained() override { return {}; }

 private:
  const Backbone& backbone_;
  PretrainGraph graph_;
  EdgePairs pairs_;
};

}  // namespace graphveil::learn
