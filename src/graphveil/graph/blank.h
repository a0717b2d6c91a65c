// A data set without some of its records.
#pragma once

#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// Nodes that are not `present` keep their ids and nothing else: no features, no label, no edge in either direction.
Dataset with_blanks(const Dataset& data, const std::vector<bool>& present);

}  // namespace graphveil::graph
