// How many predictions are right, with what one record can do to that number.
#pragma once

#include <cstdint>
#include <span>

#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"

namespace graphveil::bound {

// The number (1 x 1) of `nodes` whose prediction is their label, on a grid of step `step`, a power of two; a step above
// 1 rounds each of them toward zero, to nothing. A node without a label (graph::kUnlabeled) counts for nothing.
//
// Guarantee: L2 sensitivity 1 under node and record, where the prediction about v reads v's own record, what was
// released about v and what is public, and `nodes` is public. Blanking w, after the same releases about everybody else,
// changes the prediction about w and the label of w, and so at most one term, which is 0 or 1. Throws InvalidArgument
// for lists of different lengths, a node that is not there or there twice, a step that is no power of two or below
// 2^-31, or a relation at edge level.
Bounded<GridMatrix> correct_count(std::span<const int32_t> predictions, std::span<const int32_t> labels,
                                  std::span<const int32_t> nodes, Relation relation, double step);

// The same for a plan's line.
Bound correct_count_bound();

}  // namespace graphveil::bound
