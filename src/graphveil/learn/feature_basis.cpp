#include "graphveil/learn/feature_basis.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"
#include "graphveil/graph/normalize.h"
#include "graphveil/kernels/elementwise.h"
#include "graphveil/kernels/reduce.h"
#include "graphveil/kernels/subspace.h"
#include "graphveil/learn/feature_map.h"

namespace graphveil::learn {
namespace {

double mean_norm(const Matrix& rows) {
  double total = 0;
  for (int64_t r = 0; r < rows.rows(); ++r) total += std::sqrt(kernels::sum_of_squares(rows.row(r)));
  return total / static_cast<double>(rows.rows());
}

}  // namespace

FeatureBasis::FeatureBasis(const graph::Features& public_features, int64_t dim, const Seed& seed) {
  require(public_features.rows() > 0 && public_features.cols() > 0,
          "the public graph has {} nodes and {} features, want some", public_features.rows(), public_features.cols());
  require(dim >= 1, "{} dimensions, want at least 1", dim);
  const graph::Features unit = graph::row_normalized(public_features, graph::RowNorm::L2);
  const kernels::LeadingSubspace svd = kernels::leading_subspace(feature_map(unit), dim, seed);
  const double norm = mean_norm(svd.projected);
  require(norm > 0, "every feature of the public graph is zero");

  map_ = Matrix(public_features.cols(), dim);
  kernels::scale(static_cast<Real>(std::sqrt(static_cast<double>(dim)) / norm), svd.vectors,
                 MatrixView(map_).columns(0, svd.vectors.cols()));
}

FeatureBasis FeatureBasis::clone() const {
  FeatureBasis copy;
  copy.map_ = map_.clone();
  return copy;
}

Matrix FeatureBasis::operator()(const graph::Features& features) const {
  require(features.cols() == inputs(), "records have {} features, the basis was fitted on {}", features.cols(),
          inputs());
  Matrix rows = Matrix::uninitialized(features.rows(), dim());
  multiply(graph::row_normalized(features, graph::RowNorm::L2), map_, rows);
  return rows;
}

void FeatureBasis::save(nn::State& state, const std::string& prefix) const {
  state[prefix + "map"] = nn::to_tensor(map_);
}

FeatureBasis FeatureBasis::loaded(const nn::State& state, const std::string& prefix) {
  // The file knows the shape; read_matrix refuses what is missing or does not fit.
  const std::string name = prefix + "map";
  const auto found = state.find(name);
  const bool matrix = found != state.end() && found->second.shape.size() == 2;
  FeatureBasis basis;
  basis.map_ = Matrix(matrix ? found->second.shape[0] : 0, matrix ? found->second.shape[1] : 0);
  nn::read_matrix(state, name, basis.map_);
  if (basis.map_.size() == 0) fail(ErrorKind::BadInput, "'{}' is empty", name);
  if (!kernels::all_finite(basis.map_)) fail(ErrorKind::BadInput, "'{}' holds what is not finite", name);
  return basis;
}

}  // namespace graphveil::learn
