#include "graphveil/graph/blank.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::graph {
namespace {

Features blanked(const Features& features, const std::vector<bool>& present) {
  if (!features.is_sparse()) {
    Matrix out(features.rows(), features.cols());
    for (int64_t v = 0; v < out.rows(); ++v) {
      if (present[static_cast<size_t>(v)]) std::ranges::copy(features.dense().row(v), out.row(v).begin());
    }
    return out;
  }
  const SparseMatrix& all = features.sparse();
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int64_t v = 0; v < all.rows; ++v) {
    for (int64_t i = all.offsets[v]; present[static_cast<size_t>(v)] && i < all.offsets[v + 1]; ++i) {
      indices.push_back(all.indices[i]);
      if (all.values.size() > 0) values.push_back(all.values[i]);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return SparseMatrix{all.rows, all.cols, SharedArray<int64_t>(std::move(offsets)),
                      SharedArray<int32_t>(std::move(indices)), SharedArray<Real>(std::move(values))};
}

}  // namespace

Dataset with_blanks(const Dataset& data, const std::vector<bool>& present, EdgesGone gone) {
  require(static_cast<int64_t>(present.size()) == data.nodes(), "{} marks for {} nodes", present.size(), data.nodes());
  std::vector<int32_t> from, to, labels(data.labels.begin(), data.labels.end());
  for (int32_t u = 0; u < data.nodes(); ++u) {
    if (!present[static_cast<size_t>(u)]) {
      labels[static_cast<size_t>(u)] = kUnlabeled;
      continue;
    }
    for (const int32_t v : data.graph.out(u)) {
      if (gone == EdgesGone::Both && !present[static_cast<size_t>(v)]) continue;
      from.push_back(u);
      to.push_back(v);
    }
  }
  Dataset out = data;
  out.graph = Graph::from_edges(data.nodes(), from, to);
  out.features = blanked(data.features, present);
  out.labels = SharedArray<int32_t>(std::move(labels));
  return out;
}

}  // namespace graphveil::graph
