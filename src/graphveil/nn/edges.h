// The edges of a graph seen from both ends, ready for message passing forward and backward.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/sparse_matrix.h"

namespace graphveil::nn {

// Weight of edge u -> v, degrees counted with self-loops where those are added:
enum class EdgeWeights {
  None,           // 1, and no array is stored
  InverseDegree,  // 1 / indegree(v): the mean over the neighbors
  Symmetric,      // 1 / sqrt(indegree(u) indegree(v)): Kipf and Welling 2017
  Given,          // those of the matrix given, without self-loops
};

struct EdgeOptions {
  bool self_loops = false;  // adds v -> v for every node
  EdgeWeights weights = EdgeWeights::None;
};

// Owns its arrays and reuses their memory when assigned again. Edge e is entry e of in(); the ends of edge e
// are in().indices[e] (source) and targets()[e]. Sources and targets are mostly the same rows; where a layer is
// computed for fewer rows than it reads, they are two lists (nn/rooted_layers.h).
class Edges {
 public:
  Edges() = default;
  Edges(const SparseView& in, const EdgeOptions& options) { assign(in, options); }

  // Row v of `in` lists the sources of v, without v itself. Its values are read for Given weights alone. Self-loops and
  // symmetric weights need sources and targets to be the same rows: `in` is square, else InvalidArgument.
  void assign(const SparseView& in, const EdgeOptions& options);

  int64_t nodes() const { return static_cast<int64_t>(in_offsets_.size()) - 1; }     // that edges enter
  int64_t sources() const { return static_cast<int64_t>(out_offsets_.size()) - 1; }  // that edges leave
  int64_t count() const { return static_cast<int64_t>(in_indices_.size()); }
  bool weighted() const { return weights_ != EdgeWeights::None; }
  SparseView in() const { return {nodes(), sources(), in_offsets_, in_indices_, in_values_, in_narrow_}; }
  SparseView out() const { return {sources(), nodes(), out_offsets_, out_indices(), out_values_, out_narrow()}; }
  // The structures without the weights.
  SparseView in_pattern() const { return {nodes(), sources(), in_offsets_, in_indices_, {}}; }
  SparseView out_pattern() const { return {sources(), nodes(), out_offsets_, out_indices(), {}}; }
  std::span<const int32_t> targets() const { return targets_; }
  // Entry i is the edge of entry i of out(). As a matrix, row u lists the edges that leave u.
  std::span<const int32_t> out_edges() const { return out_edges_; }
  SparseView leaving() const { return {sources(), count(), out_offsets_, out_edges_, {}}; }

 private:
  void set_degree_weights();
  void set_out(int64_t sources);
  void set_narrow();
  std::span<const int32_t> out_indices() const { return symmetric_ ? in_indices_ : out_indices_; }
  std::span<const uint16_t> out_narrow() const { return symmetric_ ? in_narrow_ : out_narrow_; }
  bool symmetric_ = false;  // the same lists both ways: one of them is read, and found in the cache
  EdgeWeights weights_ = EdgeWeights::None;
  std::vector<int64_t> in_offsets_ = {0}, out_offsets_ = {0};
  std::vector<int32_t> in_indices_, out_indices_, targets_, out_edges_;
  std::vector<uint16_t> in_narrow_, out_narrow_;  // of many edges between few nodes
  std::vector<Real> in_values_, out_values_;
};

}  // namespace graphveil::nn
