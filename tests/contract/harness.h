// The neighbor harness: records a run on a graph, replays it on a neighbor, and says what differs that should not.
//
// Replayed, a run is given the same releases whatever it reads, so everything that may be published must come out the
// same to the bit; and the values before the noise, which only this harness sees, may differ by their stated
// sensitivity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/method/method.h"

namespace graphveil::contract {

// Two graphs that differ in one edge or node, and the public things they share.
struct Neighbors {
  graph::Dataset present, other;
  graph::Split split;
  std::optional<int32_t> node;  // the one that is blank in `other`; none under the edge relations
  std::string what;             // for messages
};

// A small random graph with features, labels (a few nodes have none) and a split.
struct SmallGraph {
  graph::Dataset data;
  graph::Split split;
};
SmallGraph small_graph(uint64_t seed, bool symmetric);

// Every neighbor under the relation: each edge removed and each missing one added, or each node blank.
std::vector<Neighbors> all_neighbors(const SmallGraph& graph, bound::Relation relation);

struct HarnessOptions {
  double noise = 2;
  int64_t protect_degree = 100;
  uint64_t seed = 1;
};

// Runs and infers on both, and returns what is wrong, in words; empty: nothing. Checked are
//   (a) the un-noised value of every release differs by at most its stated sensitivity, under node outside of the
//   node's
//       own row; a sampled sum by at most (deletions + insertions) of it;
//   (b) given the same releases, public outputs and the owner outputs of everybody but the node are the same to the
//   bit; (c) the lines spent are the plan, on both graphs; (d) no two releases share their noise.
std::vector<std::string> findings(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                                  const HarnessOptions& options = {});

// One release of numbers by a run on `present`.
struct Answer {
  std::string label;
  std::vector<double> output;  // what came out
  std::vector<double> value;   // what went in
  std::vector<double> other;   // what would have gone in on `other`, after the same releases
  double grid = 0;             // of the plan's line; a sum of gradients brings its own
  bool gradient = false;
};
// All that a run releases as numbers, in order.
std::vector<Answer> answers(const method::Method& method, bound::Relation relation, const Neighbors& neighbors,
                            const HarnessOptions& options = {});

// What a release gave out and what went in: for (d) between runs.
struct Noise {
  std::string label;
  std::vector<double> values;
};
// The noise of an inference with this seed, release by release.
std::vector<Noise> inference_noise(const method::Method& method, bound::Relation relation, const SmallGraph& graph,
                                   const nn::State& model, const Seed& seed, const HarnessOptions& options = {});
// Which of them are equal.
std::vector<std::string> shared_noise(const std::vector<Noise>& noise);

// A public graph for methods that want one.
const graph::Dataset& public_data();
const graph::Split& public_split();

}  // namespace graphveil::contract
