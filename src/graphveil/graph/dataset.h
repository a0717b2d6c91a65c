// A graph with what is known about its nodes: the unit that readers make and methods take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/base/shared_array.h"
#include "graphveil/graph/features.h"
#include "graphveil/graph/graph.h"
#include "graphveil/graph/names.h"

namespace graphveil::graph {

inline constexpr int32_t kUnlabeled = -1;

// Disjoint lists of node ids, rising.
struct Split {
  std::vector<int32_t> train;
  std::vector<int32_t> val;
  std::vector<int32_t> test;
};

// Copying shares the arrays. Transformations return a new one.
struct Dataset {
  std::string name;
  Graph graph;
  Features features;            // one row per node
  SharedArray<int32_t> labels;  // one per node, in [0, classes), or kUnlabeled
  int32_t classes = 0;
  std::optional<Split> split;  // the one that came with the data
  EdgeCleanup cleanup;         // what the reader removed from the stored edges; stored == graph.edges() + removed
  // What a reader or filter took from the records themselves, such as columns made of the values that occur: a
  // guarantee holds only where this is public.
  std::vector<std::string> found_in_data;
  // The names are those that the holder uses; where they are empty, things are called by number. Ids are the people's,
  // the other two public.
  Names ids, class_names, feature_names;
  std::string schema;  // the text that was declared public and that the columns follow; empty: none was

  int64_t nodes() const { return graph.nodes(); }
};

// Throws InvalidArgument unless the parts fit: lengths, label range, split ids in range, rising and disjoint.
void check(const Dataset& dataset);

// Nodes of each class.
std::vector<int64_t> class_sizes(const Dataset& dataset);

// Nodes without a label.
int64_t unlabeled_nodes(const Dataset& dataset);

}  // namespace graphveil::graph
