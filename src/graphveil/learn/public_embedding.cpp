#include "graphveil/learn/public_embedding.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/graph/normalize.h"
#include "graphveil/kernels/conjugate_gradients.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"
#include "graphveil/kernels/subspace.h"
#include "graphveil/learn/feature_map.h"
#include "graphveil/nn/edges.h"
#include "graphveil/nn/row_products.h"

namespace graphveil::learn {
namespace {

// S² X, where `features` does X.
kernels::LinearMap smoothed_map(const kernels::LinearMap& features, const nn::Edges& edges) {
  const auto twice = [](const SparseView& s, MatrixView x) {
    Matrix once = Matrix::uninitialized(x.rows, x.cols);
    kernels::spmm(s, x, once);
    kernels::spmm(s, once, x);
  };
  kernels::LinearMap map{features.rows, features.cols, {}, {}};
  map.apply = [&features, &edges, twice](ConstMatrixView x, MatrixView out) {
    features.apply(x, out);
    twice(edges.in(), out);
  };
  map.apply_transposed = [&features, &edges, twice](ConstMatrixView x, MatrixView out) {
    Matrix copy = Matrix::uninitialized(x.rows, x.cols);
    for (int64_t r = 0; r < x.rows; ++r) std::ranges::copy(x.row(r), copy.row(r).begin());
    twice(edges.out(), copy);
    features.apply_transposed(copy, out);
  };
  return map;
}

// (row - mean) / ‖row - mean‖ in place.
void center_and_normalize(Matrix& rows, const std::vector<Real>& mean) {
  std::vector<Real> negative(mean.size()), norms(static_cast<size_t>(rows.rows()));
  for (size_t i = 0; i < mean.size(); ++i) negative[i] = -mean[i];
  kernels::add_row(rows, negative, rows);
  kernels::normalize_rows(rows, rows, norms);
}

}  // namespace

void PublicEmbeddingOptions::declare(Options& options) {
  options.integer("embedding-dim", dim, 1, 512, "Dimensions of the public embedding");
  options.real("map-ridge", map_ridge, 1e-6, 1e9, "Ridge of the map from a record's own features to the embedding");
}

PublicEmbedding::PublicEmbedding(const mechanism::Public<graph::Dataset>& public_data,
                                 const PublicEmbeddingOptions& options, const Seed& seed) {
  const graph::Dataset& data = public_data.value();
  require(data.nodes() > 0 && data.features.cols() > 0, "the public graph has {} nodes and {} features, want some",
          data.nodes(), data.features.cols());
  const graph::Features features = graph::row_normalized(data.features, graph::RowNorm::L2);
  const nn::Edges edges(data.graph.in_view(), {.self_loops = true, .weights = nn::EdgeWeights::Symmetric});
  const kernels::LinearMap map = feature_map(features);

  nodes_ = kernels::leading_subspace(smoothed_map(map, edges), options.dim, seed).projected;
  std::vector<Real> mean(static_cast<size_t>(nodes_.cols()));
  kernels::column_sums(nodes_, mean);
  for (Real& m : mean) m /= static_cast<Real>(data.nodes());
  records_ = {kernels::ridge_regression(map, nodes_, {.ridge = options.map_ridge}), mean};
  center_and_normalize(nodes_, mean);
}

Matrix RecordMap::operator()(const graph::Features& features) const {
  require(features.cols() == map_.rows(), "records have {} features, the embedding was made for {}", features.cols(),
          map_.rows());
  Matrix rows = Matrix::uninitialized(features.rows(), dim());
  // A record's row is the same bits whoever else is asked about.
  const graph::Features unit_rows = graph::row_normalized(features, graph::RowNorm::L2);
  if (features.is_sparse() || kernels::rows_keep_apart(map_.rows(), map_.cols())) {
    multiply(unit_rows, map_, rows);
  } else {
    nn::multiply_rows(unit_rows.dense(), kernels::Transpose::No, map_, rows);
  }
  center_and_normalize(rows, mean_);
  return rows;
}

void RecordMap::save(nn::State& state, const std::string& prefix) const {
  state[prefix + "map"] = nn::to_tensor(map_);
  state[prefix + "mean"] = nn::to_tensor(ConstMatrixView(mean_.data(), 1, dim()));
}

RecordMap RecordMap::loaded(const nn::State& state, const std::string& prefix) {
  // The file knows the shape; read_matrix refuses what is missing or does not fit.
  const auto found = state.find(prefix + "map");
  const bool matrix = found != state.end() && found->second.shape.size() == 2;
  Matrix map(matrix ? found->second.shape[0] : 0, matrix ? found->second.shape[1] : 0);
  std::vector<Real> mean(static_cast<size_t>(map.cols()));
  nn::read_matrix(state, prefix + "map", map);
  nn::read_matrix(state, prefix + "mean", MatrixView(mean.data(), 1, map.cols()));
  return {std::move(map), std::move(mean)};
}

graph::Dataset embedded(const graph::Dataset& data, const RecordMap& records) {
  graph::Dataset out = data;
  out.features = graph::Features(records(data.features));
  return out;
}

mechanism::Public<graph::Dataset> embedded(const mechanism::Public<graph::Dataset>& data,
                                           const PublicEmbedding& embedding) {
  // The map was made from a public graph.
  return mechanism::from_public([&](const graph::Dataset& seen) { return embedded(seen, embedding.records()); }, data);
}

}  // namespace graphveil::learn
