// Models whose training set is known: targets of an attack, and the adversary's own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/nn/state.h"
#include "graphveil/run/experiment.h"

namespace graphveil::attack {

// People who may or may not be members, and the public graph of a method that wants one.
struct Candidates {
  graph::Dataset people;
  std::optional<graph::Dataset> public_data;
};

struct MemberModel {
  Matrix people;              // class probabilities of every candidate
  Matrix public_nodes;        // of every node of the public graph, where there is one
  std::vector<int32_t> pool;  // of which these may have been given labels
};

// Trains a method on subgraphs of the candidates and asks the model about the full graph ("train on subgraph, test on
// full", as in Olatunji, Nejdl and Khosla 2021): members have been seen in training with the edges between them, the
// others appear in the question alone.
//
// All that is released goes through noise where the method has some; asking costs noise as `predict` on another graph
// would. Relation and options are the experiment's.
class MemberModels {
 public:
  // `members` of the candidates will train. `experiment` and `candidates` must outlive it. Throws InvalidArgument for
  // settings that do not fit the data.
  MemberModels(const run::Experiment& experiment, const Candidates& candidates, int64_t members);
  // `members` rising, as many as were announced.
  MemberModel train(const std::vector<int32_t>& members, const Seed& seed) const;

 private:
  const run::Experiment& experiment_;
  const Candidates& candidates_;
  graph::Dataset people_;                       // prepared
  std::optional<graph::Dataset> public_graph_;  // prepared
  std::optional<nn::State> public_arrays_;      // of the method's public file
  std::vector<int32_t> pool_;
  run::Prepared prepared_;
};

// A random half of the labeled candidates, rising; with `shots` that many of every class out of the first
// (1 + others) * shots labeled ones of that class. `candidates_of` lists those that can be drawn.
std::vector<int32_t> candidates_of(const graph::Dataset& people, std::optional<int64_t> shots, int64_t others = 1);
std::vector<int32_t> random_members(const graph::Dataset& people, const std::vector<int32_t>& candidates,
                                    std::optional<int64_t> shots, const Seed& seed);

}  // namespace graphveil::attack
