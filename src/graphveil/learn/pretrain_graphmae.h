// GraphMAE (Hou et al. 2022): hide the features of half the nodes and restore them from the rest of the graph.
#pragma once

#include <vector>

#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

//   half of the nodes are masked: a trained token in place of their features
//   H = f(masked X, A) W, with the masked rows set to zero again: the decoder must restore them from their neighbors
//   Z = one layer of the backbone's own kind, on H
//   loss = mean over masked v of (1 - cos(z_v, x_v))²
class GraphMae final : public PretrainTask {
 public:
  GraphMae(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed);
  nn::Var loss(nn::Tape& tape, int64_t epoch) override;
  std::vector<nn::Parameters*> trained() override { return {&head_, &decoder_.parameters()}; }

 private:
  // Draws who is masked, and prepares what a step reads.
  void mask(int64_t epoch);

  const Backbone& backbone_;
  PretrainGraph graph_;
  RandomStream random_;
  nn::ParameterId token_, to_decoder_;
  Backbone decoder_;
  std::vector<int32_t> masked_, seen_;
  Matrix visible_;    // the features, masked rows zero
  Matrix is_masked_;  // one column of 0 and 1
  Matrix targets_;    // the masked rows, of norm 1
  Matrix ones_;       // sums the columns of a row
};

}  // namespace graphveil::learn
