// An immutable directed graph. An edge u -> v means that v aggregates from u; an undirected graph stores both
// directions. No self-loops, no duplicate edges.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "graphveil/base/sparse_matrix.h"
#include "graphveil/graph/adjacency.h"

namespace graphveil::graph {

struct Partition;

// Copying shares the memory. A symmetric graph holds one array for both directions.
class Graph {
 public:
  Graph() = default;  // no nodes

  // Self-loops and duplicates are removed and counted in `cleanup`. Throws InvalidArgument for ends out of
  // range or lists of different lengths.
  static Graph from_edges(int64_t nodes, std::span<const int32_t> sources, std::span<const int32_t> targets,
                          EdgeCleanup* cleanup = nullptr);
  // Each pair gives the edges in both directions.
  static Graph from_undirected_edges(int64_t nodes, std::span<const int32_t> first, std::span<const int32_t> second,
                                     EdgeCleanup* cleanup = nullptr);
  // Row u lists the targets of u. Cleaned when needed, without a copy when not. Throws InvalidArgument for
  // broken offsets or neighbors out of range.
  static Graph from_out_lists(const Adjacency& out, EdgeCleanup* cleanup = nullptr);
  // A graph of both directions as given (say by a mapped file). Nothing is copied; the two must be clean and transposes
  // of each other, else InvalidArgument.
  static Graph from_both(Adjacency out, Adjacency in);
  // The same of a graph whose rows somebody has checked, each rank a share of them (files/gvg.cpp). `in` is `out` where
  // the graph is symmetric.
  static Graph from_checked(Adjacency out, Adjacency in, bool symmetric) {
    return {std::move(out), std::move(in), symmetric};
  }
  // A rank's rows: lists of its own nodes alone, which name rows by their place in its reach (graph/partition.h).
  // nodes() and edges() are then this rank's, and what looks at other nodes' lists has no meaning.
  static Graph own_part(Adjacency out, Adjacency in, bool symmetric, std::shared_ptr<const Partition> partition);
  const Partition* partition() const { return partition_.get(); }  // null: this is the whole graph

  int64_t nodes() const { return out_.nodes(); }
  int64_t edges() const { return out_.edges(); }  // directed: an undirected edge counts twice
  bool symmetric() const { return symmetric_; }
  double mean_degree() const { return nodes() > 0 ? static_cast<double>(edges()) / static_cast<double>(nodes()) : 0; }

  std::span<const int32_t> out(int64_t u) const { return out_.of(u); }  // targets of u, rising
  std::span<const int32_t> in(int64_t v) const { return in_.of(v); }    // sources of v, rising
  int64_t out_degree(int64_t u) const { return out_.offsets[u + 1] - out_.offsets[u]; }
  int64_t in_degree(int64_t v) const { return in_.offsets[v + 1] - in_.offsets[v]; }
  bool has_edge(int64_t u, int64_t v) const;

  // nodes x reach matrices of ones; the reach is all nodes, unless this is a rank's part. Row v of in_view lists the
  // sources of v, so in_view * X sums over them.
  SparseView in_view() const { return view(in_); }
  SparseView out_view() const { return view(out_); }
  int64_t reach() const;           // how many rows the lists may name
  int64_t first_in_reach() const;  // the place of node 0 among them
  const Adjacency& out_lists() const { return out_; }
  const Adjacency& in_lists() const { return in_; }

 private:
  friend Graph symmetrized(const Graph& graph);
  Graph(Adjacency out, Adjacency in, bool symmetric);
  static Graph from_clean(Adjacency out);
  SparseView view(const Adjacency& a) const { return {a.nodes(), reach(), a.offsets, a.neighbors, {}}; }

  Adjacency out_;
  Adjacency in_;
  bool symmetric_ = true;
  std::shared_ptr<const Partition> partition_;
};

// The graph with the reverse of every edge added; the same graph when it is symmetric already.
Graph symmetrized(const Graph& graph);

}  // namespace graphveil::graph
