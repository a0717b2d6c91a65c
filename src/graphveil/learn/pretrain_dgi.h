// Deep Graph Infomax (Velickovic et al. 2019): tell the nodes of the graph from those of a corrupted one, given a
// summary of the graph.
#pragma once

#include <vector>

#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

//   H = f(X, A),  H~ = f(X~, A)   X~: the rows of X in random order
//   s = sigmoid(mean row of H)
//   loss = mean over v of -log sigmoid(h_v W s) - log(1 - sigmoid(h~_v W s))
class Dgi final : public PretrainTask {
 public:
  Dgi(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed);
  nn::Var loss(nn::Tape& tape, int64_t epoch) override;

 private:
  const Backbone& backbone_;
  PretrainGraph graph_;
  RandomStream random_;
  nn::ParameterId discriminator_;
  Matrix corrupted_;
  std::vector<int64_t> whole_;  // one segment: all nodes
  std::vector<int32_t> real_, fake_;
};

}  // namespace graphveil::learn
