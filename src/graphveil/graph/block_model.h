// Edges of a degree-corrected stochastic block model whose nodes differ in how much they keep to their own group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/random.h"
#include "graphveil/graph/graph.h"

namespace graphveil::graph {

// Each node v has a group and two activities. An edge inside a group joins two of its members chosen in proportion
// to `inside`; an edge across joins any two nodes chosen in proportion to `across`. So the expected degree of v is
// proportional to inside[v] + across[v].
struct BlockModel {
  int32_t groups = 1;
  std::vector<int32_t> group;
  std::vector<double> inside;
  std::vector<double> across;

  int64_t nodes() const { return static_cast<int64_t>(group.size()); }
};

// A symmetric graph of about nodes * mean_degree directed edges (within 0.5%: pairs drawn twice are made up for,
// as far as the groups have room). The same for the same seed and any number of threads. Throws InvalidArgument
// when the model is too small for the degree (mean_degree above a quarter of the nodes).
Graph draw_block_model(const BlockModel& model, double mean_degree, const Seed& seed);

}  // namespace graphveil::graph
