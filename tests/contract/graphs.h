// The graphs of the contract tests, and their neighbors under every relation.
//
// Small graphs are random and tried with every neighbor there is. Wide graphs have more nodes than a block of samples,
// and one of a few shapes in which somebody does as much as a bound allows; they are tried with chosen neighbors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graphveil/bound/relation.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/graph/split.h"

namespace graphveil::contract {

// Two graphs that differ in one edge or node, and the public things they share.
struct Neighbors {
  graph::Dataset present, other;
  graph::Split split;
  std::optional<int32_t> node;                       // the one that is blank in `other`; none under the edge relations
  std::string what;                                  // for messages
  bound::Relation relation = bound::Relation::Node;  // what they are neighbors under
  int64_t degree = 0;                                // outgoing edges of the node where it is there
};

// A graph with features, labels (a few nodes have none) and a split.
struct SmallGraph {
  graph::Dataset data;
  graph::Split split;
};

// Nine nodes at random.
SmallGraph small_graph(uint64_t seed, bool symmetric);

// Every neighbor under the relation: each edge removed and each missing one added, or each node blank.
std::vector<Neighbors> all_neighbors(const SmallGraph& graph, bound::Relation relation);

enum class Shape {
  // Nodes with more than k edges. The first node has k, each to a node with k + 1: one that counts the edges of others
  // sees theirs come down to k when it goes.
  Hubs,
  // A tree of three levels below the first node, K = 2 edges down from each, and nobody with more. What the first node
  // sends outweighs and opposes what the others have, so every sample that reads it turns round when it goes.
  Tree,
  // Two sources whose walks end at the first node while it is there, and nowhere near it without: the PageRank rows of
  // all sources move as far as two rows can.
  Crossroads,
};

struct WideGraph {
  SmallGraph graph;
  int64_t protect_degree = 1;                      // k; under Hubs some nodes have more
  std::vector<int32_t> nodes;                      // whose absence is tried, the one that matters most first
  std::vector<std::pair<int32_t, int32_t>> edges;  // to be taken away, or added where they are not there
};
inline constexpr int64_t kWideNodes = 96;  // 72 of them train (Crossroads: 2)
WideGraph wide_graph(Shape shape, bool symmetric, bool sparse_features);

std::vector<Neighbors> chosen_neighbors(const WideGraph& graph, bound::Relation relation);

// The largest number of edges in or out.
int64_t largest_degree(const graph::Graph& graph);

// A public graph for methods that want one.
const graph::Dataset& public_data();
const graph::Split& public_split();

}  // namespace graphveil::contract
