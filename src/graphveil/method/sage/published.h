// SAGE-NDP as the program of GAP's authors trains it, for --accounting published. Nothing in this file carries a
// guarantee; sage_published_reasons says why.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphveil/learn/fit_private.h"
#include "graphveil/method/sage/networks.h"

namespace graphveil::method {

using namespace learn;

// What a run as published takes for the samples whose gradients it clips.
enum class PublishedClip {
  Rows,    // the rows of a batch's subgraph, as the authors' program does
  Samples  // each training node with its neighbors, as the text says
};

// The subgraph that a batch reads: its nodes and all that have an edge to one of them, each once, the batch first.
class BatchRows {
 public:
  explicit BatchRows(const graph::Graph& graph);
  void assign(std::span<const int32_t> batch, std::span<const int32_t> labels);
  std::span<const int32_t> nodes() const { return nodes_; }
  // Of the batch's nodes; rows that are only read have none.
  std::span<const int32_t> labels() const { return labels_; }
  // Into the batch's rows alone.
  const nn::Edges& edges() const { return edges_; }

 private:
  const graph::Graph* graph_;
  std::vector<int32_t> nodes_, labels_, sources_;
  std::vector<int64_t> row_of_, offsets_;  // row_of_: -1 where a node has none
  nn::Edges edges_;
};

// Adds the gradients of the mean loss over a batch, times its number of rows, clipped row by row.
void add_row_losses(SageNodeNetwork& network, const BatchRows& rows, int64_t batch_size, int64_t step, nn::Tape& tape,
                    nn::ClippedGradient& clipped);

// DP-Adam or DP-SGD on these sums, every row of a batch's subgraph being a sample. Spends the line that fit_line made
// for training nodes with their neighbors as samples, and refuses a release that has a finite budget: that would be a
// promise.
mechanism::Public<nn::State> fit_rows_as_published(SageNodeNetwork& network, const PrivateFitData& data,
                                                   const PrivateFitOptions& options, const std::string& label,
                                                   const Seed& seed, mechanism::Release& release);

std::vector<std::string> sage_published_reasons(PublishedClip clip);

}  // namespace graphveil::method
