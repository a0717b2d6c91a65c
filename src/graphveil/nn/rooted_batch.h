// Batches of rooted subgraphs: each sample is the neighborhood of one root, and the samples lie side by side as
// one block-diagonal graph in which every row knows its sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/graph/graph.h"
#include "graphveil/nn/edges.h"

namespace graphveil::nn {

// Reuses its memory from batch to batch. Keeps a pointer to the graph.
class RootedBatch {
 public:
  // The sample of root v holds the nodes from which v is reached along at most `hops` edges, and every edge that
  // enters a node at distance below `hops`: just what a network of `hops` layers reads for v.
  RootedBatch(const graph::Graph& graph, int64_t hops, const EdgeOptions& options);

  // One sample per root, in this order. A node in several samples has a row in each.
  void assign(std::span<const int32_t> roots);

  int64_t samples() const { return static_cast<int64_t>(root_rows_.size()); }
  int64_t rows() const { return static_cast<int64_t>(nodes_.size()); }
  std::span<const int32_t> nodes() const { return nodes_; }          // of each row
  std::span<const int32_t> owners() const { return owners_; }        // the sample of each row, rising
  std::span<const int32_t> root_rows() const { return root_rows_; }  // of each sample
  const Edges& edges() const { return edges_; }

 private:
  void add_sample(int32_t root);
  const graph::Graph* graph_;
  int64_t hops_;
  EdgeOptions options_;
  std::vector<int32_t> nodes_, owners_, root_rows_;
  std::vector<int64_t> in_offsets_;
  std::vector<int32_t> in_sources_;
  std::vector<int64_t> row_of_;  // the last row of each node in this batch, -1 when it has none
  Edges edges_;
};

}  // namespace graphveil::nn
