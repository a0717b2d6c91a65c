// Dropping rare classes.
#pragma once

#include <cstdint>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Keeps the nodes whose class has at least `min_nodes` nodes (>= 1); unlabeled nodes go. The classes left are
// numbered from 0 in their old order. Throws BadInput when none is left.
// Sizes of classes are read off the labels: noted in found_in_data.
Dataset keep_classes_of_at_least(const Dataset& dataset, int64_t min_nodes);

}  // namespace graphveil::graph
