// Which edges a run may read, by the public split.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/options.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::method {

enum class GraphSetting {
  Transductive,  // training reads the neighbors of a training node, whoever they are
  Inductive,     // edges between training, validation and test nodes are removed, for training and prediction
};

// Declares --setting.
void declare_setting(Options& options, GraphSetting& setting);

// The part of the split that each node is in; nodes in none share one of their own.
std::vector<int32_t> parts_of(const graph::Split& split, int64_t nodes);

graph::Graph visible_graph(const graph::Graph& graph, const graph::Split& split, GraphSetting setting);

}  // namespace graphveil::method
