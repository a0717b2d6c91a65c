// One node or edge that is put into a graph to see whether a run gives it away.
#pragma once

#include <cstdint>
#include <string>

#include "graphveil/base/random.h"
#include "graphveil/bound/relation.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::attack {

// Two graphs that differ as `change` says; all else about them is known to the adversary.
struct CanaryPair {
  graph::Dataset there, blank;
  bound::Relation change = bound::Relation::Node;
  int32_t node = 0;
  int64_t degree = 0;  // outgoing edges of the node
  std::string what;    // for people
};

// Makes `node` a canary: a label that its features do not speak for, and `degree` edges, in both directions, to the
// nodes that have fewest others and no label like its own: those on whom it has most to say. Then the same without it:
//   edge, undirected-edge  without its first edge, in one or both directions
//   record                 features, label and outgoing edges blank; others keep theirs
//   node                   with every edge at it
// Throws InvalidArgument when the graph has too few nodes.
CanaryPair canary_pair(const graph::Dataset& data, int32_t node, int64_t degree, bound::Relation change);

}  // namespace graphveil::attack
