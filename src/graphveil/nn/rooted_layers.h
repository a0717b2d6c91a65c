// Rooted samples unrolled layer by layer: each layer is computed only for the rows that the next one reads, so the last
// is computed for the roots alone. The samples lie side by side and every row knows its sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/graph/graph.h"
#include "graphveil/nn/edges.h"

namespace graphveil::nn {

// One round of message passing, from rows that are read to rows that are computed.
struct Hop {
  const Edges* edges = nullptr;
  std::span<const int32_t> own;     // for each computed row, the read row of the same node; empty: row r is row r
  std::span<const int32_t> owners;  // the sample of each computed row; empty outside of per-sample steps
};

// Reuses its memory from batch to batch. Keeps a pointer to the graph.
class RootedLayers {
 public:
  // Self-loops are edges from a node's own read row. Weights as in nn::Edges, but not symmetric ones.
  RootedLayers(const graph::Graph& graph, int64_t layers, const EdgeOptions& options);

  // One sample per root, in this order: the nodes from which the root is reached along at most `layers` edges. A node
  // in several samples has a row in each.
  void assign(std::span<const int32_t> roots);

  int64_t samples() const { return samples_; }
  int64_t layers() const { return layers_; }
  // The rows that the first layer reads: the node of each, and the sample it belongs to, rising.
  std::span<const int32_t> nodes() const { return nodes_; }
  std::span<const int32_t> owners() const { return owners_.back(); }
  // What layer 0, 1, ... reads and computes. The rows that the last one computes are the roots, in order.
  Hop hop(int64_t layer) const;

 private:
  void add_sample(int32_t root);
  // Rows of sample s at distance at most d from its root: a prefix of its rows.
  int64_t within(int64_t s, int64_t d) const { return within_[static_cast<size_t>(s * (layers_ + 1) + d)]; }
  void set_hop(int64_t layer);

  const graph::Graph* graph_;
  int64_t layers_;
  EdgeOptions options_;
  int64_t samples_ = 0;
  std::vector<int32_t> nodes_;
  std::vector<int64_t> within_;
  // The sources, as places within the sample, of every row at distance below `layers`.
  std::vector<int64_t> list_offsets_;
  std::vector<int32_t> lists_;
  std::vector<int64_t> row_of_;               // the last row of each node in this batch, -1 when it has none
  std::vector<std::vector<int32_t>> owners_;  // by distance
  std::vector<std::vector<int32_t>> own_;     // by layer
  std::vector<Edges> edges_;                  // by layer
  std::vector<int64_t> offsets_;
  std::vector<int32_t> sources_;
};

}  // namespace graphveil::nn
