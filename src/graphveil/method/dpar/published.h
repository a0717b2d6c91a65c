// DPAR as its paper runs and accounts it (Zhang et al. 2024, Algorithms 1 to 3 and Theorems 1 to 3), for --accounting
// published. Nothing in this file carries a guarantee; DparPublished::budget says why.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/learn/fit_private.h"
#include "graphveil/method/dpar/selection.h"
#include "graphveil/method/method.h"

namespace graphveil::method {

struct DparPublished {
  Selection selection;
  PrivateFitOptions fit;
  double share = 0.5;       // of epsilon and delta, for PageRank
  double node_rate = 0.09;  // q'
  double column_norm = 1;   // tau

  // The noise by Theorems 1 to 3, and what a run with that noise costs: every row moves by sqrt(2) C1, a node may be in
  // its own sample and those of all M sources, and nothing is amplified, since source and column ids tell who took
  // part. Of lists of the source alone, the paper's baseline Features, it says that original DP-SGD is used: the
  // noise is then what our accountant asks for epsilon / q'.
  Published budget(double epsilon, double delta, int64_t train_nodes) const;

  // Algorithm 2, lines 1 to 4: on a random share of the training nodes and the edges among them, M of which have rows
  // of PageRank. Columns are scaled to an L1 norm of at most tau, but not for Features.
  bound::Neighborhoods neighborhoods(const graph::Graph& graph, std::span<const int32_t> train, const Seed& seed,
                                     mechanism::Release& release) const;
};

}  // namespace graphveil::method
