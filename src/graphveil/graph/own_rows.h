// A rank's rows of a data set that all ranks can read, or of which each holds a part.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/ranks.h"
#include "graphveil/graph/dataset.h"

namespace graphveil::graph {

// The rows [cuts[rank], cuts[rank + 1]) with their edges, features and labels, numbered from 0: copies, checked once
// more, since `data` may lie in a mapped file, or be with other ranks (HeldRows). Of the other rows nothing is read.
// Names of nodes and the split stay behind. All ranks call it together. Throws BadInput where the data are no longer
// what was checked.
Dataset own_rows(Ranks& ranks, const Dataset& data, const std::vector<int64_t>& cuts);

// Those of `nodes`, rising, that are among this rank's rows, numbered as they are there.
std::vector<int32_t> own_nodes(const std::vector<int32_t>& nodes, int64_t begin, int64_t end);

}  // namespace graphveil::graph
