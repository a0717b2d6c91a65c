// A graph with what is known about its nodes: the unit that readers make and methods take.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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

// Which rows of a graph are here, where it lies in several files, one for each of several ranks (files/gvg.cpp): edges
// and features are theirs alone, while offsets and labels are those of all nodes, and names of nodes are all with the
// first rank and nowhere else. Nothing but graph::own_rows makes use of such a data set.
struct HeldRows {
  int part = 0;
  std::vector<int64_t> cuts;               // part r has the rows [cuts[r], cuts[r + 1])
  std::array<std::string, 4> fingerprint;  // of the graph that was split, as its parts state (artifact/fingerprint.h)

  int64_t begin() const { return cuts[static_cast<size_t>(part)]; }
  int64_t end() const { return cuts[static_cast<size_t>(part) + 1]; }
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
  std::shared_ptr<const HeldRows> held = nullptr;  // none: all rows

  int64_t nodes() const { return graph.nodes(); }
};

// Throws InvalidArgument unless the parts fit: lengths, label range, split ids in range, rising and disjoint.
void check(const Dataset& dataset);

// Nodes of each class.
std::vector<int64_t> class_sizes(const Dataset& dataset);

// Nodes without a label.
int64_t unlabeled_nodes(const Dataset& dataset);

}  // namespace graphveil::graph
