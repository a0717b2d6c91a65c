#include "graphveil/graph/degrees.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace graphveil::graph {
namespace {

DegreeQuantiles quantiles(const Adjacency& lists) {
  if (lists.nodes() == 0) return {};
  std::vector<int64_t> degrees(static_cast<size_t>(lists.nodes()));
  for (int64_t v = 0; v < lists.nodes(); ++v) degrees[v] = lists.offsets[v + 1] - lists.offsets[v];
  std::sort(degrees.begin(), degrees.end());
  // Nearest rank: the smallest degree that at least a share q of the nodes does not exceed.
  const auto at = [&](double q) {
    const auto rank = static_cast<int64_t>(std::ceil(q * static_cast<double>(degrees.size())));
    return degrees[std::max<int64_t>(rank, 1) - 1];
  };
  return {degrees.front(), at(0.25), at(0.5), at(0.75), at(0.9), at(0.99), degrees.back()};
}

}  // namespace

DegreeStatistics degree_statistics(const Graph& graph) {
  DegreeStatistics statistics;
  statistics.in = quantiles(graph.in_lists());
  statistics.out = graph.symmetric() ? statistics.in : quantiles(graph.out_lists());
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    statistics.isolated += graph.in_degree(v) + graph.out_degree(v) == 0;
  }
  return statistics;
}

}  // namespace graphveil::graph
