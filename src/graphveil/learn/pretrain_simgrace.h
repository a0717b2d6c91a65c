// SimGRACE (Xia et al. 2022): recognize subgraphs as an encoder with perturbed weights sees them; the graph itself is
// not changed.
#pragma once

#include <functional>
#include <vector>

#include "graphveil/learn/dense_stack.h"
#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

//   f' = f with every weight matrix W plus 0.1 N(0, std(W)²), drawn anew for each epoch; no gradient flows there
//   z_i = g(mean over root i and its neighbors of f(X, A)) of norm 1, z'_i the same by f';   g an MLP of two layers
//   loss = mean over i of -log(exp(<z_i, z'_i> / 0.1) / sum over j of exp(<z_i, z'_j> / 0.1))
// The roots are up to 512 nodes, drawn anew for each epoch.
class SimGrace final : public PretrainTask {
 public:
  SimGrace(Backbone& backbone, const PretrainGraph& graph, const Seed& seed);
  nn::Var loss(nn::Tape& tape, int64_t epoch) override;

 private:
  void draw_subgraphs();
  // z of all subgraphs.
  nn::Var view(nn::Tape& tape);
  // Runs `body` with perturbed weights, and puts the weights back.
  void with_perturbed_weights(const std::function<void()>& body);

  Backbone& backbone_;
  PretrainGraph graph_;
  RandomStream random_;
  DenseStack projection_;
  nn::Tape other_tape_;
  std::vector<int64_t> offsets_;  // subgraph i: nodes_[offsets_[i] .. offsets_[i + 1])
  std::vector<int32_t> nodes_, same_;
  Matrix other_view_;  // transposed: a column for each z'
};

}  // namespace graphveil::learn
