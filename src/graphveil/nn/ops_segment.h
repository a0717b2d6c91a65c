// Sums, means and maxima over consecutive rows: readout of a graph, or of the edges that enter a node.
// Segment s is rows [offsets[s], offsets[s + 1]); an empty one gives a zero row. `offsets` must outlive the step.
// In a per-sample step the rows of a segment must belong to one sample; `owners` names it for each segment, and
// may be left out when no segment is empty.
#pragma once

#include <span>

#include "graphveil/nn/tape.h"

namespace graphveil::nn {

Var segment_sum(Var x, std::span<const int64_t> offsets, std::span<const int32_t> owners = {});
Var segment_mean(Var x, std::span<const int64_t> offsets, std::span<const int32_t> owners = {});
Var segment_max(Var x, std::span<const int64_t> offsets, std::span<const int32_t> owners = {});

}  // namespace graphveil::nn
