// A random graph for measurements: heavy-tailed degrees, no locality.
#pragma once

#include <cstdint>

#include "graphveil/base/matrix.h"
#include "graphveil/base/sparse_matrix.h"

namespace graphveil::bench {

// Directed, without repeated edges. A node's weight is Pareto with exponent 2 (at most 30 times the least); both its
// number of edges and its chance to be a neighbor are proportional to it. Node numbers carry no structure.
SparseMatrix random_graph(int64_t nodes, double mean_degree, uint64_t seed);

// Sparse features: `ones` entries of 1 in every row, at random.
SparseMatrix random_features(int64_t rows, int64_t cols, int64_t ones, uint64_t seed);

// Numbers spread evenly over [-1, 1].
Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed);

}  // namespace graphveil::bench
