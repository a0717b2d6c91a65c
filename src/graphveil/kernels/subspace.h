// Leading singular vectors of a large matrix. Same bits for any number of threads.
#pragma once

#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/random.h"
#include "graphveil/kernels/linear_map.h"

namespace graphveil::kernels {

struct LeadingSubspace {
  std::vector<double> singular_values;  // falling
  Matrix vectors;                       // cols x rank: the right singular vectors V
  Matrix projected;                     // rows x rank: A V
};

// The `rank` leading right singular vectors, by subspace iteration from a random start with 16 columns to spare
// (Halko, Martinsson and Tropp 2011); fewer when the matrix has fewer rows or columns. Directions beyond the rank of
// the matrix are zero.
LeadingSubspace leading_subspace(const LinearMap& map, int64_t rank, const Seed& seed, int iterations = 4);

}  // namespace graphveil::kernels
