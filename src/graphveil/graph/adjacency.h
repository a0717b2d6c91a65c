// Neighbor lists of all nodes by compressed rows, and the whole-graph operations on them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graphveil/base/random.h"
#include "graphveil/base/shared_array.h"

namespace graphveil::graph {

inline constexpr int64_t kMaxNodes = INT32_MAX;

// The neighbors of node u are neighbors[offsets[u] .. offsets[u + 1]), counted from `first_entry`, which is 0 unless
// only some of the nodes have their lists here (graph/dataset.h: HeldRows).
// *Clean* means: offsets start at 0, never fall and end at neighbors.size(); the neighbors of each node rise
// strictly, lie in [0, nodes) and do not contain the node itself.
struct Adjacency {
  SharedArray<int64_t> offsets = SharedArray<int64_t>(std::vector<int64_t>{0});  // nodes + 1
  SharedArray<int32_t> neighbors;
  int64_t first_entry = 0;

  int64_t nodes() const { return static_cast<int64_t>(offsets.size()) - 1; }
  int64_t edges() const { return static_cast<int64_t>(neighbors.size()); }
  std::span<const int32_t> of(int64_t node) const {
    return neighbors.span().subspan(static_cast<size_t>(offsets[node] - first_entry),
                                    static_cast<size_t>(offsets[node + 1] - offsets[node]));
  }
};

// What was removed to make an adjacency clean.
struct EdgeCleanup {
  int64_t stored = 0;            // entries before
  int64_t self_loops = 0;        // entries u -> u
  int64_t duplicates = 0;        // second and further copies of an entry
  int64_t zero_weights = 0;      // entries a file stores with weight 0
  bool weights_ignored = false;  // a file had weights other than 0 and 1
};

// The first node whose row is not clean, among those in [begin, end). Offsets must rise and fit the neighbors: check
// with valid_offsets.
std::optional<int64_t> first_unclean_row(const Adjacency& adjacency, int64_t begin, int64_t end);
inline std::optional<int64_t> first_unclean_row(const Adjacency& adjacency) {
  return first_unclean_row(adjacency, 0, adjacency.nodes());
}

// Whether the offsets start at 0, never fall and fit the number of entries, which are those of the rows in [begin,
// end).
bool valid_offsets(const Adjacency& adjacency, int64_t begin, int64_t end);
inline bool valid_offsets(const Adjacency& adjacency) { return valid_offsets(adjacency, 0, adjacency.nodes()); }

// Rows by source, clean, from parallel lists of edge ends in [0, nodes).
// With `both_directions` every pair also gives the reverse edge; only then are copies in the other direction
// (u, v), (v, u) the same edge twice. Throws InvalidArgument for ends out of range.
Adjacency adjacency_from_edges(int64_t nodes, std::span<const int32_t> sources, std::span<const int32_t> targets,
                               bool both_directions, EdgeCleanup* cleanup = nullptr);

// The rows without self-loops and duplicates, sorted. The offsets must be valid, the neighbors in range.
// Shares the memory when the input is clean already.
Adjacency cleaned(const Adjacency& adjacency, EdgeCleanup* cleanup = nullptr);

// Row v of the result lists every u whose row holds v. The input must be clean; so is the result.
Adjacency transposed(const Adjacency& adjacency);

// The rows with the reverse of every entry added. The input must be clean; so is the result.
Adjacency with_reverses(const Adjacency& adjacency);

// Whether v is in row u exactly when u is in row v. One pass over the entries of a clean adjacency: it sums
// hashes under a fresh secret key, so a wrong "yes" has probability 2^-64 whoever made the graph (as far as the
// hash behaves like a random function).
bool is_symmetric(const Adjacency& adjacency);

// Whether `in` is the transpose of `out`, both clean; by the same kind of sum.
bool is_transpose(const Adjacency& out, const Adjacency& in);
// What these two sum over the rows in [begin, end), modulo 2^64, under a key of whoever calls: processes that share a
// secret key and the rows add their sums up to 0, or the answer is no.
uint64_t symmetry_sum(const Adjacency& adjacency, const Seed& key, int64_t begin, int64_t end);
uint64_t transpose_sum(const Adjacency& out, const Adjacency& in, const Seed& key, int64_t begin, int64_t end);

}  // namespace graphveil::graph
