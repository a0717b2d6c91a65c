// Batches of rooted subgraphs in one graph: each sample is the neighborhood of one root, and the samples lie side by
// side as one block-diagonal graph in which every row knows its sample and every layer computes every row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/error.h"
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

inline RootedBatch::RootedBatch(const graph::Graph& graph, int64_t hops, const EdgeOptions& options)
    : graph_(&graph), hops_(hops), options_(options), row_of_(static_cast<size_t>(graph.nodes()), -1) {
  require(hops >= 0, "number of hops is {}, want 0 or more", hops);
}

inline void RootedBatch::assign(std::span<const int32_t> roots) {
  for (const int32_t node : nodes_) row_of_[static_cast<size_t>(node)] = -1;
  nodes_.clear();
  owners_.clear();
  root_rows_.clear();
  in_offsets_.assign(1, 0);
  in_sources_.clear();
  for (const int32_t root : roots) {
    require(root >= 0 && root < graph_->nodes(), "root {} of {} nodes", root, graph_->nodes());
    add_sample(root);
  }
  edges_.assign({rows(), rows(), in_offsets_, in_sources_, {}}, options_);
}

// Breadth first: rows of one distance follow each other, and the in-lists are written in the order of the rows.
inline void RootedBatch::add_sample(int32_t root) {
  const auto sample = static_cast<int32_t>(root_rows_.size());
  const int64_t first = rows();
  const auto row = [&](int32_t node) {
    int64_t& known = row_of_[static_cast<size_t>(node)];
    if (known < first) {
      known = rows();
      nodes_.push_back(node);
      owners_.push_back(sample);
    }
    return static_cast<int32_t>(known);
  };
  root_rows_.push_back(row(root));
  int64_t begin = first;
  for (int64_t distance = 0; distance < hops_; ++distance) {
    const int64_t end = rows();
    for (int64_t r = begin; r < end; ++r) {
      for (const int32_t source : graph_->in(nodes_[static_cast<size_t>(r)])) in_sources_.push_back(row(source));
      in_offsets_.push_back(static_cast<int64_t>(in_sources_.size()));
    }
    begin = end;
  }
  // Nodes at the last distance are read, but read nobody.
  in_offsets_.resize(static_cast<size_t>(rows()) + 1, static_cast<int64_t>(in_sources_.size()));
}

}  // namespace graphveil::nn
