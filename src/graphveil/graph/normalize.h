// Row normalization of features: a per-record transform, free of privacy cost.
#pragma once

#include "graphveil/graph/features.h"

namespace graphveil::graph {

enum class RowNorm { L1, L2 };

// Every row divided by its norm; a zero row stays zero.
Features row_normalized(const Features& features, RowNorm norm);

}  // namespace graphveil::graph
