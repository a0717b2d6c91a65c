// Exact k nearest neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "graphveil/base/matrix.h"

namespace graphveil::kernels {

enum class Distance {
  Euclidean,
  Cosine,  // 1 - cosine; a zero row is at distance 1 from everything
};

// `count` neighbours of each query, nearest first, equal distances in the order of the index.
struct Neighbors {
  int64_t queries = 0;
  int64_t count = 0;
  std::vector<int32_t> indices;  // queries * count
  std::vector<Real> distances;   // queries * count
};

// The min(k, points.rows) rows of `points` nearest to each row of `queries`; both have the same columns.
Neighbors nearest(ConstMatrixView queries, ConstMatrixView points, int64_t k, Distance distance);

}  // namespace graphveil::kernels
