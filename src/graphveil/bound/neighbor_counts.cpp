#include "graphveil/bound/neighbor_counts.h"

#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/graph/partition.h"

namespace graphveil::bound {
namespace {

constexpr int64_t kCountGrain = 256;

void check(const graph::Graph& graph, std::span<const int32_t> group, int64_t groups, Relation relation) {
  graph::require_whole(graph, "counts of neighbors");
  require(edge_level(relation), "neighbors are counted under the edge relations, not under {}", name(relation));
  require(relation != Relation::UndirectedEdge || graph.symmetric(),
          "relation undirected-edge wants a symmetric graph; this one is directed: use edge, or make it symmetric");
  require(static_cast<int64_t>(group.size()) == graph.nodes(), "{} groups for a graph of {} nodes", group.size(),
          graph.nodes());
  require(groups >= 1 && groups <= INT32_MAX, "{} groups are out of range", groups);
  for (const int32_t g : group) {
    require(g == kNoGroup || (g >= 0 && g < groups), "group {} is out of range, there are {}", g, groups);
  }
}

// By one each.
int64_t moved_cells(Relation relation) { return relation == Relation::UndirectedEdge ? 2 : 1; }

}  // namespace

double neighbor_counts_sensitivity(Relation relation, Norm norm) {
  require(edge_level(relation), "neighbors are counted under the edge relations, not under {}", name(relation));
  require(norm == Norm::L1 || norm == Norm::L2, "counts are bounded in l1 and l2, not in {}", name(norm));
  const auto cells = static_cast<double>(moved_cells(relation));
  return norm == Norm::L1 ? cells : std::sqrt(cells);
}

Bound neighbor_counts_bound(Relation relation, Norm norm) {
  const double sensitivity = neighbor_counts_sensitivity(relation, norm);
  return Voucher::stated(source::NeighborCounts{moved_cells(relation)}, sensitivity, norm);
}

Bounded<IntegerMatrix<int64_t>> neighbor_counts(const graph::Graph& graph, std::span<const int32_t> group,
                                                int64_t groups, Relation relation, Norm norm) {
  check(graph, group, groups, relation);
  IntegerMatrix<int64_t> counts(graph.nodes(), groups);
  parallel_for(graph.nodes(), kCountGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (const int32_t u : graph.in(v)) {
        if (group[static_cast<size_t>(u)] != kNoGroup) ++counts(v, group[static_cast<size_t>(u)]);
      }
    }
  });
  return Voucher::bounded(std::move(counts),
                          {.amount = neighbor_counts_sensitivity(relation, norm), .norm = norm, .relation = relation});
}

}  // namespace graphveil::bound
