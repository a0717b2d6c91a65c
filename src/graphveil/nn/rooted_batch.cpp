#include "graphveil/nn/rooted_batch.h"

#include "graphveil/base/error.h"

namespace graphveil::nn {

RootedBatch::RootedBatch(const graph::Graph& graph, int64_t hops, const EdgeOptions& options)
    : graph_(&graph), hops_(hops), options_(options), row_of_(static_cast<size_t>(graph.nodes()), -1) {
  require(hops >= 0, "number of hops is {}, want 0 or more", hops);
}

void RootedBatch::assign(std::span<const int32_t> roots) {
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
void RootedBatch::add_sample(int32_t root) {
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
