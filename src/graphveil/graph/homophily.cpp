#include "graphveil/graph/homophily.h"

#include <atomic>

#include "graphveil/base/parallel.h"

namespace graphveil::graph {

std::optional<double> edge_homophily(const Dataset& dataset) {
  constexpr int64_t kRowGrain = 8192;
  std::atomic<int64_t> labeled{0}, alike{0};
  parallel_for(dataset.nodes(), kRowGrain, [&](int64_t begin, int64_t end) {
    int64_t labeled_here = 0, alike_here = 0;
    for (int64_t u = begin; u < end; ++u) {
      const int32_t own = dataset.labels[static_cast<size_t>(u)];
      if (own == kUnlabeled) continue;
      for (const int32_t v : dataset.graph.out(u)) {
        const int32_t other = dataset.labels[static_cast<size_t>(v)];
        labeled_here += other != kUnlabeled ? 1 : 0;
        alike_here += other == own ? 1 : 0;
      }
    }
    labeled += labeled_here;
    alike += alike_here;
  });
  if (labeled == 0) return std::nullopt;
  return static_cast<double>(alike) / static_cast<double>(labeled);
}

}  // namespace graphveil::graph
