#include "graphveil/graph/pagerank.h"

#include <algorithm>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"

namespace graphveil::graph {
namespace {

constexpr int kMostSteps = 100'000;
constexpr double kUnshrunk = 1e-12;  // what the tolerance is of when nothing is shrunk

void check(const Graph& graph, const PageRankOptions& options) {
  require(graph.symmetric(), "personalized PageRank wants a symmetric graph");
  require(options.teleport > 0 && options.teleport < 1, "teleport is {}, want a number between 0 and 1",
          options.teleport);
  require(options.sparsity >= 0 && options.sparsity < 1, "sparsity is {}, want at least 0 and less than 1",
          options.sparsity);
  require(options.tolerance > 0, "tolerance is {}, want a positive number", options.tolerance);
}

}  // namespace

PageRank::PageRank(const Graph& graph, const PageRankOptions& options)
    : graph_(&graph),
      options_(options),
      x_(static_cast<size_t>(graph.nodes()), 0.0),
      sums_(static_cast<size_t>(graph.nodes()), 0.0) {
  check(graph, options);
}

// Returns whether any entry still rose by more than the tolerance.
bool PageRank::step(int32_t source) {
  touched_ = support_;
  for (const int32_t u : support_) {
    for (const int32_t v : graph_->out(u)) {
      if (sums_[v] == 0 && x_[v] == 0) touched_.push_back(v);
      sums_[v] += x_[u];
    }
  }
  const double alpha = options_.teleport, shrink = options_.sparsity * alpha;
  bool rising = false;
  support_.clear();
  for (const int32_t v : touched_) {
    const auto degree = static_cast<double>(graph_->out_degree(v));
    const double start = v == source ? alpha / degree : 0;
    const double x = std::max(0.0, (1 - alpha) / 2 * (x_[v] + sums_[v] / degree) + start - shrink);
    rising |= x - x_[v] > options_.tolerance * (shrink > 0 ? shrink : kUnshrunk);
    x_[v] = x;
    sums_[v] = 0;
    if (x > 0) support_.push_back(v);
  }
  return rising;
}

std::span<const RankedNode> PageRank::row(int32_t source) {
  row_.clear();
  const auto degree = static_cast<double>(graph_->out_degree(source));
  if (degree == 0) {
    row_.push_back({source, 1.0});
    return row_;
  }
  x_[source] = std::max(0.0, options_.teleport * (1 / degree - options_.sparsity));
  if (x_[source] == 0) return row_;
  support_ = {source};
  int steps = 0;
  while (step(source) && ++steps < kMostSteps) {
  }
  std::ranges::sort(support_);
  for (const int32_t v : support_) {
    row_.push_back({v, static_cast<double>(graph_->out_degree(v)) * x_[v]});
    x_[v] = 0;
  }
  return row_;
}

void for_each_pagerank(const Graph& graph, std::span<const int32_t> sources, const PageRankOptions& options,
                       const std::function<void(int64_t, std::span<const RankedNode>)>& visit) {
  check(graph, options);
  constexpr int64_t kGrain = 64;        // rows that share the memory of one PageRank
  constexpr int64_t kAtOnce = 1 << 12;  // between two signs of progress
  const auto count = static_cast<int64_t>(sources.size());
  Progress progress("pagerank", count);
  for (int64_t first = 0; first < count; first += kAtOnce) {
    const int64_t some = std::min(kAtOnce, count - first);
    parallel_for(some, kGrain, [&](int64_t begin, int64_t end) {
      PageRank pagerank(graph, options);
      for (int64_t i = first + begin; i < first + end; ++i) visit(i, pagerank.row(sources[static_cast<size_t>(i)]));
    });
    progress.advance(some);
  }
}

}  // namespace graphveil::graph
