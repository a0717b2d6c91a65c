// Nodes without edges.
#pragma once

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Keeps the nodes with at least one edge in or out. Throws BadInput when none is left. Noted in
// found_in_data.
Dataset drop_isolated_nodes(const Dataset& dataset);

}  // namespace graphveil::graph
