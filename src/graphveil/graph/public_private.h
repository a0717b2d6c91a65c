// A private graph beside a public one: the setting in which knowledge is passed on through public nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

struct PublicPrivateSizes {
  int64_t private_nodes = 0;  // labeled
  int64_t public_nodes = 0;   // pool and test together
  int64_t public_test = 0;    // of the public nodes, labeled, kept to evaluate
  bool balanced = false;      // as many private nodes of every class, to within 1
  bool one_graph = false;     // both are the whole graph, whose private and public nodes the splits tell
};

// Two graphs without a node or an edge in common, but for `one_graph`.
struct PublicPrivate {
  Dataset private_data;  // the records to protect
  Split private_split;   // train: its labeled nodes
  Dataset public_data;   // its labels are there to evaluate, not to learn from: see without_labels
  Split public_split;    // train: the pool that may be given labels; test: the nodes to evaluate on
  // Node i of public_data is node public_ids[i] of the graph that was split; empty when it is that graph, or two were
  // given.
  std::vector<int32_t> public_ids;
};

// Parts of one graph, chosen at random; edges between the parts are dropped. The same for the same seed; reads nothing
// but which nodes have labels, unless it is balanced: then who is private depends on labels, which no guarantee covers.
// Throws InvalidArgument when the graph has too few nodes, or labeled ones, or ones of a class.
PublicPrivate split_public_private(const Dataset& dataset, const PublicPrivateSizes& sizes, const Seed& seed);

// Two graphs as they are, `public_test` of the public one's labeled nodes chosen at random to evaluate on and the rest
// the pool. Throws InvalidArgument when features or classes do not fit together, or labeled nodes are too few.
PublicPrivate pair_public_private(const Dataset& private_data, const Dataset& public_data, int64_t public_test,
                                  const Seed& seed);

// The data with every label taken away.
Dataset without_labels(const Dataset& dataset);
// The data with the labels of these nodes alone.
Dataset with_labels_of(const Dataset& dataset, const std::vector<int32_t>& nodes);

}  // namespace graphveil::graph
