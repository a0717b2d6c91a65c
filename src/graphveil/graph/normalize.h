// Transforms of features that read each row by itself, and so are free of privacy cost.
#pragma once

#include "graphveil/graph/features.h"

namespace graphveil::graph {

enum class RowNorm { L1, L2 };

// Every row divided by its norm; a zero row stays zero.
Features row_normalized(const Features& features, RowNorm norm);

// The features with one more column that holds `value` everywhere.
Features with_constant(const Features& features, Real value);

// Both, rows first, in one pass over dense features.
Features normalized_with_constant(const Features& features, RowNorm norm, Real value);

}  // namespace graphveil::graph
