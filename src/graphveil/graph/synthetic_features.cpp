#include "graphveil/graph/synthetic_features.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/progress.h"
#include "graphveil/graph/alias_table.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kMaxColumns = 1 << 20;
constexpr int64_t kSyntheticGrain = 1024;
constexpr int64_t kRowsAtOnce = 1 << 17;  // between two updates of the progress

// body(random, v) for every node, each with a stream of its own.
template <typename Body>
void for_each_node(int64_t nodes, const Seed& seed, const char* purpose, Body body) {
  Progress progress("drawing features", nodes);
  for (int64_t begin = 0; begin < nodes; begin += kRowsAtOnce) {
    const int64_t batch = std::min(nodes - begin, kRowsAtOnce);
    parallel_for(batch, kSyntheticGrain, [&](int64_t from, int64_t to) {
      RandomStream random(seed, purpose);
      for (int64_t v = begin + from; v < begin + to; ++v) {
        random.seek(static_cast<uint64_t>(v));
        body(random, v);
      }
    });
    progress.advance(batch);
  }
}

}  // namespace

Features draw_features(const GaussianFeatures& model, std::span<const int32_t> labels, int32_t classes,
                       const Seed& seed) {
  require(model.columns >= 1 && model.columns <= kMaxColumns, "number of features is {}, want 1 to {}", model.columns,
          kMaxColumns);
  require(model.separation >= 0 && std::isfinite(model.separation), "separation is {}, want a number from 0",
          model.separation);
  Matrix centers = Matrix::uninitialized(classes, model.columns);
  RandomStream random(seed, "feature centers");
  const double scale = model.separation / std::sqrt(static_cast<double>(model.columns));
  for (Real& x : centers.values()) x = static_cast<Real>(scale * random.gaussian());

  Matrix values = Matrix::uninitialized(static_cast<int64_t>(labels.size()), model.columns);
  for_each_node(values.rows(), seed, "dense features", [&](RandomStream& stream, int64_t v) {
    const auto center = centers.row(labels[v]);
    const auto row = values.row(v);
    for (int64_t c = 0; c < model.columns; ++c) row[c] = center[c] + static_cast<Real>(stream.gaussian());
  });
  return values;
}

Features draw_features(const OneHotFeatures& model, std::span<const int32_t> labels, int32_t classes,
                       const Seed& seed) {
  require(!model.group_columns.empty() && model.missing.size() == model.group_columns.size(),
          "{} groups of features with {} shares of missing values", model.group_columns.size(), model.missing.size());
  const size_t groups = model.group_columns.size();

  // Value k of a group of any class is popular like 1 / (k + 3); a class changes that by a factor exp(signal * N(0,
  // 1)).
  RandomStream random(seed, "feature popularity");
  std::vector<AliasTable> tables;  // class by class, group by group
  std::vector<double> weights;
  for (int32_t c = 0; c < classes; ++c) {
    for (int32_t columns : model.group_columns) {
      require(columns >= 1, "a group has {} columns, want at least 1", columns);
      weights.clear();
      for (int32_t k = 0; k < columns; ++k) weights.push_back(std::exp(model.signal * random.gaussian()) / (k + 3));
      tables.emplace_back(weights);
    }
  }

  // First every answer in its own place, -1 where there is none; then the rows closed up.
  const auto nodes = static_cast<int64_t>(labels.size());
  std::vector<int32_t> answers(static_cast<size_t>(nodes) * groups);
  for_each_node(nodes, seed, "one-hot features", [&](RandomStream& stream, int64_t v) {
    int32_t first_column = 0;
    for (size_t g = 0; g < groups; ++g) {
      const bool missing = stream.bernoulli(model.missing[g]);
      const int32_t value = tables[labels[v] * groups + g].draw(stream);
      answers[v * groups + g] = missing ? -1 : first_column + value;
      first_column += model.group_columns[g];
    }
  });
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  for (int64_t v = 0; v < nodes; ++v) {
    for (size_t g = 0; g < groups; ++g) {
      if (answers[v * groups + g] >= 0) indices.push_back(answers[v * groups + g]);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  const int64_t columns = std::accumulate(model.group_columns.begin(), model.group_columns.end(), int64_t{0});
  return SparseMatrix{nodes, columns, std::move(offsets), std::move(indices), {}};
}

}  // namespace graphveil::graph
