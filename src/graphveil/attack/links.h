// Link stealing: which pairs of nodes are joined, told from predictions.
#pragma once

#include <optional>

#include "graphveil/attack/roc.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/run/experiment.h"

namespace graphveil::attack {

struct LinkOptions {
  int64_t pairs = 2000;  // joined ones, and as many that are not
  int64_t sources = 32;  // nodes whose features are changed to see whom that moves
  int64_t repeats = 3;
  Seed seed = Seed::from_number(0);
};

struct LinkResult {
  RocSummary similarity;  // by the correlation of two posteriors (He et al. 2021, attack 0)
  RocSummary influence;   // by how far a change of one node's features moves the other's posterior (Wu et al. 2022)
  // Similarity on pairs of one class alone, where knowing the labels is of no use.
  RocSummary similarity_within_class;
};

// Similarity reads the predictions that a run gives out about its training graph. Influence asks the model anew about
// that graph with one node's features replaced by another's, once for every source; where the method has noise, every
// answer has its own. Throws InvalidArgument when the graph has too few edges.
LinkResult link_attack(const run::Experiment& experiment, const graph::Dataset& data, const LinkOptions& options);

// Pearson's correlation of two rows; 0 where one is constant.
double correlation(std::span<const Real> a, std::span<const Real> b);

}  // namespace graphveil::attack
