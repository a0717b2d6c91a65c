// Approximate personalized PageRank by iterative shrinkage and thresholding (Fountoulakis, Roosta-Khorasani, Shun,
// Cheng and Mahoney, "Variational perspective on local graph clustering", 2019).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graphveil/graph/graph.h"

namespace graphveil::graph {

struct PageRankOptions {
  double teleport = 0.25;   // alpha: the chance to start anew at the source, in every step of the lazy walk
  double sparsity = 1e-4;   // rho: the larger, the fewer entries. A row's nodes have at most 1 / rho edges together
  double tolerance = 1e-4;  // gamma: how far from the solution to stop, in units of rho
};

struct RankedNode {
  int32_t node;
  double rank;  // > 0
  bool operator==(const RankedNode&) const = default;
};

// One row after the other, on one thread; the time of a row does not depend on the size of the graph.
//
// A row p minimizes 1/2 q'Qq - alpha <e_s, D^-1/2 q> + rho alpha |D^1/2 q|_1, where p = D^1/2 q and Q = alpha I +
// (1 - alpha)/2 L with the normalized Laplacian L. With x = D^-1 p one step of the algorithm is
//   x <- max(0, (1 - alpha)/2 (x + D^-1 A x) + alpha D^-1 e_s - rho alpha):
// a step of the lazy random walk, from every entry of which the same small number is taken. x never falls, so the row
// is never negative; with rho = 0 it is the personalized PageRank itself.
class PageRank {
 public:
  // The graph must be symmetric and outlive this.
  PageRank(const Graph& graph, const PageRankOptions& options);
  // Entries with a positive rank, nodes rising: none when the source has 1 / rho neighbors or more, itself alone with
  // rank 1 when it has none. Valid until the next call.
  std::span<const RankedNode> row(int32_t source);

 private:
  bool step(int32_t source);

  const Graph* graph_;
  PageRankOptions options_;
  std::vector<double> x_, sums_;  // of every node; 0 but for support_ and touched_
  std::vector<int32_t> support_, touched_;
  std::vector<RankedNode> row_;
};

// visit(i, row) for the row of sources[i], in no certain order, on all threads.
void for_each_pagerank(const Graph& graph, std::span<const int32_t> sources, const PageRankOptions& options,
                       const std::function<void(int64_t, std::span<const RankedNode>)>& visit);

}  // namespace graphveil::graph
