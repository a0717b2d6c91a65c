// Edge prediction, as GPPT pre-trains (Sun et al. 2022): tell the edges of the graph from pairs drawn at random.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

// Half of the edges are hidden, drawn anew for each epoch, both directions of a pair together; the rest is A':
//   H = f(X, A'), rows scaled to norm 1
//   loss = mean over hidden edges u -> v of -log sigmoid((<h_u, h_v> - <h_w, h_v>) / 0.5), w any other node
// Of a large graph 50000 edges. (Edges that carry messages make their ends alike whatever the features are, and teach
// nothing; and inner products of any length are told apart by length alone.)
class EdgePrediction final : public PretrainTask {
 public:
  EdgePrediction(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed);
  nn::Var loss(nn::Tape& tape, int64_t epoch) override;
  std::vector<nn::Parameters*> trained() override { return {}; }

  // Whether the pair is hidden in an epoch that drew this salt: a coin that both directions share.
  static bool hides(uint64_t salt, int32_t u, int32_t v);

 private:
  // Draws what is hidden, and by target the pairs to judge.
  void draw_pairs(int64_t epoch);

  const Backbone& backbone_;
  PretrainGraph graph_;
  RandomStream random_;
  nn::Edges visible_, edges_, others_;  // what carries messages; hidden pairs, and the drawn ones beside them
  std::vector<int32_t> ones_;
};

}  // namespace graphveil::learn
