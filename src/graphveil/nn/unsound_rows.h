// The one way to let a per-sample step take the rows of a graph for its samples, for a program that does.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/nn/edges.h"
#include "graphveil/nn/tape.h"

namespace graphveil::nn {

// For reproducing programs that clip the gradients of the rows of a batch, although edges join the rows. What is summed
// so carries no guarantee: one record moves the clipped gradients of every row that an edge joins to its own, beyond
// what any draw says.
class UnsoundRows {
 public:
  // nn::aggregate where edges may join samples. Sources and targets are the same rows.
  static Var aggregate(Var x, const Edges& edges);
  // nn::cross_entropy summed over rows, times a factor that may depend on the batch.
  static Var cross_entropy(Var x, std::span<const int32_t> labels, Real factor);
};

}  // namespace graphveil::nn
