#include "graphveil/bound/out_degree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"

namespace graphveil::bound {

graph::Graph bound_out_degree(const graph::Graph& graph, int64_t max_out_degree, const Seed& seed) {
  require(max_out_degree >= 1, "maximum out-degree is {}, want at least 1", max_out_degree);
  const int64_t nodes = graph.nodes();
  std::vector<int64_t> offsets(static_cast<size_t>(nodes) + 1, 0);
  for (int64_t u = 0; u < nodes; ++u) offsets[u + 1] = offsets[u] + std::min(graph.out_degree(u), max_out_degree);
  if (offsets[nodes] == graph.edges()) return graph;

  std::vector<int32_t> kept(static_cast<size_t>(offsets[nodes]));
  parallel_for(nodes, 4096, [&](int64_t begin, int64_t end) {
    RandomStream random(seed, "out-degree", 0);
    std::vector<int32_t> list;
    for (int64_t u = begin; u < end; ++u) {
      const auto out = graph.out(u);
      const auto wanted = static_cast<size_t>(offsets[u + 1] - offsets[u]);
      list.assign(out.begin(), out.end());
      if (wanted < list.size()) {
        random.seek(static_cast<uint64_t>(u));
        // The first `wanted` places of a uniform permutation.
        for (size_t i = 0; i < wanted; ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
        std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(wanted));
      }
      std::copy_n(list.begin(), wanted, kept.begin() + offsets[u]);
    }
  });
  return graph::Graph::from_out_lists({std::move(offsets), std::move(kept)});
}

int64_t max_out_degree(const graph::Graph& graph) {
  int64_t largest = 0;
  for (int64_t u = 0; u < graph.nodes(); ++u) largest = std::max(largest, graph.out_degree(u));
  return largest;
}

}  // namespace graphveil::bound
