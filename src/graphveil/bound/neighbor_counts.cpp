#include "graphveil/bound/neighbor_counts.h"

#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::bound {
namespace {

constexpr int64_t kRowGrain = 256;

void check(const graph::Graph& graph, std::span<const int32_t> group, int64_t groups, Relation relation) {
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

}  // namespace

double neighbor_counts_sensitivity(Relation relation) {
  require(edge_level(relation), "neighbors are counted under the edge relations, not under {}", name(relation));
  return relation == Relation::UndirectedEdge ? 2 : 1;
}

Bounded<IntegerMatrix<int64_t>> neighbor_counts(const graph::Graph& graph, std::span<const int32_t> group,
                                                int64_t groups, Relation relation) {
  check(graph, group, groups, relation);
  IntegerMatrix<int64_t> counts(graph.nodes(), groups);
  parallel_for(graph.nodes(), kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (const int32_t u : graph.in(v)) {
        if (group[static_cast<size_t>(u)] != kNoGroup) ++counts(v, group[static_cast<size_t>(u)]);
      }
    }
  });
  return Voucher::bounded(std::move(counts),
                          {.amount = neighbor_counts_sensitivity(relation), .norm = Norm::L1, .relation = relation});
}

Bounded<IntegerMatrix<int64_t>> alike_counts(const graph::Graph& graph, std::span<const int32_t> group,
                                             Relation relation) {
  check(graph, group, INT32_MAX, relation);
  IntegerMatrix<int64_t> counts(1, 2);
  for (int64_t v = 0; v < graph.nodes(); ++v) {
    for (const int32_t u : graph.in(v)) {
      require(group[static_cast<size_t>(u)] != kNoGroup && group[static_cast<size_t>(v)] != kNoGroup,
              "a node without a group is neither like its neighbors nor unlike them");
      if (relation == Relation::UndirectedEdge && u > v) continue;
      ++counts(0, group[static_cast<size_t>(u)] == group[static_cast<size_t>(v)] ? 0 : 1);
    }
  }
  return Voucher::bounded(std::move(counts), {.amount = 1, .norm = Norm::L1, .relation = relation});
}

}  // namespace graphveil::bound
