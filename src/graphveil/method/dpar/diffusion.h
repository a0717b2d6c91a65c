// PageRank of whole classes at edge level: power iteration with noise in every step.
#pragma once

#include "graphveil/method/lap/network.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

// Power iteration of c columns instead of one for every source: column j spreads from the nodes of class j. A training
// node sends its label, any other u sends own_u H(u) + (1 - own) its present row, where H is the guess of an MLP on the
// features alone. A step releases, for every node, the sum of what its neighbors send, with Gaussian noise; rows
// shorter than their noise are not stretched. A linear softmax reads the features and the rows of all steps.
//
// Guarantee (edge, undirected-edge): features and labels are public, so the first step sends what is public and every
// later one what was released. One edge is one message of norm at most sqrt(1 - 1/c) in one row of each step, two for
// an undirected edge (bound/neighbor_sum.h). Training and predictions are post-processing.
struct Diffusion {
  int64_t steps = 2;
  double own = 0.25;

  // The steps share a budget of 1 / noise^2.
  Plan plan(double noise, const Setting& setting) const;
  Output run(const Task& task, Release& release) const;
  Predictions infer(const nn::State& model, const Task& task, Release& release) const;
};

}  // namespace graphveil::method
