// A graph of a few nodes and an untrained backbone on it, for tests of the tasks.
#pragma once

#include <cmath>
#include <vector>

#include "graphveil/learn/pretrain_task.h"

namespace graphveil::learn {

inline double softplus(double x) { return std::log1p(std::exp(x)); }

inline double dot(std::span<const Real> a, std::span<const Real> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

// A path 0 - 1 - ... - 6 with the chord 1 - 4.
struct SmallGraph {
  SmallGraph() {
    RandomStream rows(Seed::from_number(1), "rows");
    for (Real& value : x.values()) value = static_cast<Real>(rows.gaussian());
  }
  PretrainGraph view() const { return {graph, x, edges}; }
  Matrix embeddings() const { return backbone.embed(x, edges); }
  double loss(PretrainTask& task, int64_t epoch = 0) const {
    nn::Tape tape(Seed::from_number(1));
    tape.start();
    return task.loss(tape, epoch).value()(0, 0);
  }

  graph::Graph graph = graph::Graph::from_undirected_edges(7, std::vector<int32_t>{0, 1, 2, 3, 4, 5, 1},
                                                           std::vector<int32_t>{1, 2, 3, 4, 5, 6, 4});
  Matrix x{7, 4};
  RandomStream random{Seed::from_number(2), "weights"};
  Backbone backbone{{BackboneKind::Gcn, 4, 6, 2}, random};
  nn::Edges edges{graph.in_view(), edge_options(BackboneKind::Gcn)};
};

}  // namespace graphveil::learn
