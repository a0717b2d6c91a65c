#include "graphveil/learn/pretrain_edge.h"

namespace graphveil::learn {

EdgePrediction::EdgePrediction(const Backbone& backbone, const PretrainGraph& graph, const Seed& seed)
    : backbone_(backbone), graph_(graph), pairs_(graph.graph, seed) {}

nn::Var EdgePrediction::loss(nn::Tape& tape, int64_t epoch) {
  pairs_.draw(epoch);
  return pairs_.loss(backbone_(tape.input(graph_.x), graph_.edges));
}

}  // namespace graphveil::learn
