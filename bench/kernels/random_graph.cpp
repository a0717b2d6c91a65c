#include "bench/kernels/random_graph.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"

namespace graphveil::bench {
namespace {

SparseMatrix from_rows(std::vector<std::vector<int32_t>> rows, int64_t cols) {
  std::vector<int64_t> offsets{0};
  for (const auto& row : rows) offsets.push_back(offsets.back() + static_cast<int64_t>(row.size()));
  std::vector<int32_t> indices;
  indices.reserve(static_cast<size_t>(offsets.back()));
  for (auto& row : rows) indices.insert(indices.end(), row.begin(), row.end());
  return {.rows = static_cast<int64_t>(rows.size()),
          .cols = cols,
          .offsets = std::move(offsets),
          .indices = std::move(indices),
          .values = {}};
}

}  // namespace

SparseMatrix random_graph(int64_t nodes, double mean_degree, uint64_t number) {
  const Seed seed = Seed::from_number(number);
  RandomStream weights_stream(seed, "weights");
  std::vector<double> weight(static_cast<size_t>(nodes));
  double total = 0;
  for (double& w : weight) total += w = std::min(30.0, 1 / std::sqrt(weights_stream.uniform()));
  std::vector<double> cumulative;
  double sum = 0;
  for (double w : weight) cumulative.push_back(sum += w / total);
  // guide[g] is the first node whose cumulative weight passes g / size: inversion then takes a step or two.
  std::vector<int32_t> guide(1 << 20);
  for (size_t g = 0, node = 0; g < guide.size(); ++g) {
    while (cumulative[node] < static_cast<double>(g) / static_cast<double>(guide.size())) ++node;
    guide[g] = static_cast<int32_t>(node);
  }
  std::vector<std::vector<int32_t>> rows(static_cast<size_t>(nodes));
  parallel_for(nodes, 256, [&](int64_t begin, int64_t end) {
    RandomStream stream(seed, "edges");
    for (int64_t r = begin; r < end; ++r) {
      stream.seek(static_cast<uint64_t>(r));
      const auto degree = static_cast<int64_t>(mean_degree * weight[r] / total * static_cast<double>(nodes));
      std::vector<int32_t>& row = rows[r];
      row.reserve(static_cast<size_t>(degree));
      for (int64_t i = 0; i < degree; ++i) {
        const double u = static_cast<double>(stream.next_u64() >> 11) * 0x1p-53;
        int32_t node = guide[static_cast<size_t>(u * static_cast<double>(guide.size()))];
        while (node + 1 < nodes && cumulative[node] < u) ++node;
        row.push_back(node);
      }
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    }
  });
  return from_rows(std::move(rows), nodes);
}

SparseMatrix random_features(int64_t rows, int64_t cols, int64_t ones, uint64_t number) {
  RandomStream stream(Seed::from_number(number), "features");
  std::vector<std::vector<int32_t>> lists(static_cast<size_t>(rows));
  for (auto& row : lists) {
    for (int64_t i = 0; i < ones; ++i) row.push_back(static_cast<int32_t>(stream.below(static_cast<uint64_t>(cols))));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return from_rows(std::move(lists), cols);
}

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "bench", static_cast<uint64_t>(cols));
  Matrix m = Matrix::uninitialized(rows, cols);
  for (Real& x : std::span(m.data(), static_cast<size_t>(m.size()))) x = static_cast<Real>(2 * random.uniform() - 1);
  return m;
}

}  // namespace graphveil::bench
