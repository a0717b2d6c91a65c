// A data set without some of its records.
#pragma once

#include <vector>

#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// The edges that go with a record.
enum class EdgesGone {
  Both,  // every edge at the node
  Own,   // the node's own outgoing list; edges that others list stay
};

// Nodes that are not `present` keep their ids, with EdgesGone::Own the edges that present nodes list to them, and
// nothing else: no features, no label.
Dataset with_blanks(const Dataset& data, const std::vector<bool>& present, EdgesGone gone = EdgesGone::Both);

}  // namespace graphveil::graph
