// Training, validation and test nodes.
#pragma once

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Shares of the labeled nodes; each at least 0, train above 0, together at most 1.
struct SplitRatio {
  double train = 0.75;
  double val = 0.10;
  double test = 0.15;
};

// Labeled nodes at random into parts cut at the rounded running totals of the shares, so that shares which add up
// to 1 leave nobody out. The same for the same seed; reads nothing but which nodes have labels.
Split random_split(const Dataset& dataset, const SplitRatio& ratio, const Seed& seed);

// The split that came with the data; throws BadInput when there is none.
Split stored_split(const Dataset& dataset);

}  // namespace graphveil::graph
