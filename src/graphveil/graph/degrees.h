// Degree statistics.
#pragma once

#include <cstdint>

#include "graphveil/graph/graph.h"

namespace graphveil::graph {

// Quantiles of the number of neighbors aggregated from (in) or sent to (out). They are nearest-rank.
struct DegreeQuantiles {
  int64_t min = 0, p25 = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, max = 0;
};

struct DegreeStatistics {
  DegreeQuantiles in;
  DegreeQuantiles out;
  int64_t isolated = 0;  // nodes without any edge, in or out
};

DegreeStatistics degree_statistics(const Graph& graph);

}  // namespace graphveil::graph
