#include "graphveil/bound/neighbor_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"
#include "graphveil/graph/partition.h"

namespace graphveil::bound {
namespace {

constexpr int64_t kCountGrain = 256;

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

// Of every node that the graph's lists may name. Groups are public.
IntegerMatrix<int32_t> reached_groups(const graph::Graph& part, std::span<const int32_t> own) {
  IntegerMatrix<int32_t> groups(part.reach(), 1);
  std::ranges::copy(own, groups.data() + part.first_in_reach());
  graph::fetch_rows(*current_ranks(), *part.partition(), groups.view());
  return groups;
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

Bounded<CountMatrix> neighbor_counts(const graph::Graph& graph, std::span<const int32_t> group, int64_t groups,
                                     Relation relation, Norm norm) {
  check(graph, group, groups, relation);
  const bool part = graph.partition() != nullptr;
  const IntegerMatrix<int32_t> reached = part ? reached_groups(graph, group) : IntegerMatrix<int32_t>();
  const std::span<const int32_t> group_of = part ? reached.values() : group;
  CountMatrix counts{IntegerMatrix<int64_t>(graph.nodes(), groups), part ? graph.partition()->begin : 0};
  parallel_for(graph.nodes(), kCountGrain, [&](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      for (const int32_t u : graph.in(v)) {
        const int32_t g = group_of[static_cast<size_t>(u)];
        if (g != kNoGroup) ++counts.values(v, g);
      }
    }
  });
  return Voucher::bounded(std::move(counts),
                          {.amount = neighbor_counts_sensitivity(relation, norm), .norm = norm, .relation = relation});
}

}  // namespace graphveil::bound
