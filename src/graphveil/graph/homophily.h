// How far neighbors are alike.
#pragma once

#include <optional>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Of the edges whose ends both have a label, the share that joins two nodes of one class; none: there is no such edge.
// Read off private edges and labels.
std::optional<double> edge_homophily(const Dataset& dataset);

}  // namespace graphveil::graph
