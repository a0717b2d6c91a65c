#include "graphveil/kernels/nearest.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "graphveil/base/parallel.h"

namespace graphveil::kernels {
namespace {

double exact_distance(const Real* q, const Real* p, int64_t cols, Distance distance) {
  double difference = 0, inner = 0, qq = 0, pp = 0;
  for (int64_t c = 0; c < cols; ++c) {
    const double a = q[c], b = p[c];
    difference += (a - b) * (a - b);
    inner += a * b;
    qq += a * a;
    pp += b * b;
  }
  if (distance == Distance::Euclidean) return std::sqrt(difference);
  return qq > 0 && pp > 0 ? 1 - inner / std::sqrt(qq * pp) : 1.0;
}

}  // namespace

Neighbors nearest(ConstMatrixView queries, ConstMatrixView points, int64_t k, Distance distance) {
  assert(queries.cols == points.cols && k >= 0);
  Neighbors result{.queries = queries.rows, .count = std::min(k, points.rows), .indices = {}, .distances = {}};
  result.indices.resize(static_cast<size_t>(result.queries * result.count));
  result.distances.resize(result.indices.size());
  parallel_for(queries.rows, 1, [&](int64_t q, int64_t) {
    std::vector<std::pair<double, int32_t>> all(static_cast<size_t>(points.rows));
    for (int64_t p = 0; p < points.rows; ++p) {
      all[p] = {
          exact_distance(queries.data + q * queries.stride, points.data + p * points.stride, points.cols, distance),
          static_cast<int32_t>(p)};
    }
    std::partial_sort(all.begin(), all.begin() + result.count, all.end());
    for (int64_t i = 0; i < result.count; ++i) {
      result.distances[q * result.count + i] = static_cast<Real>(all[i].first);
      result.indices[q * result.count + i] = all[i].second;
    }
  });
  return result;
}

}  // namespace graphveil::kernels
