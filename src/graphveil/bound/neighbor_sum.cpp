#include "graphveil/bound/neighbor_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/kernels/rows.h"
#include "graphveil/kernels/spmm.h"

namespace graphveil::bound {
namespace {

// Rows are scaled to a hair under the stated norm, so that rounding in float does not carry them over it.
constexpr double kRoundingMargin = 1 - 1e-5;

void check(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options) {
  require(rows.rows == graph.nodes(), "{} rows for a graph of {} nodes", rows.rows, graph.nodes());
  require(options.relation != Relation::UndirectedEdge || graph.symmetric(),
          "relation undirected-edge wants a symmetric graph; this one is directed: use edge, or make it symmetric");
  if (options.relation == Relation::Node && options.weights == DegreeWeights::Drop) {
    const int64_t largest = max_out_degree(graph);
    require(largest <= options.max_out_degree, "a node has {} outgoing edges, the stated bound is {}", largest,
            options.max_out_degree);
  }
}

}  // namespace

double degree_weight(const NeighborSumOptions& options, int64_t out_degree) {
  if (options.relation != Relation::Node || out_degree == 0) return 1;
  switch (options.weights) {
    case DegreeWeights::Drop: return 1;
    case DegreeWeights::SqrtDegree: return 1 / std::sqrt(static_cast<double>(out_degree));
    case DegreeWeights::SoftCap:
      return std::min(1.0, std::sqrt(static_cast<double>(options.max_out_degree) / static_cast<double>(out_degree)));
  }
  fail(ErrorKind::Internal, "unknown degree weights");
}

double neighbor_sum_sensitivity(const NeighborSumOptions& options) {
  require(std::isfinite(options.max_row_norm) && options.max_row_norm > 0,
          "maximum row norm is {}, want a positive finite number", options.max_row_norm);
  switch (options.relation) {
    case Relation::Edge: return options.max_row_norm;
    case Relation::UndirectedEdge: return std::sqrt(2.0) * options.max_row_norm;
    case Relation::Node: break;
  }
  if (options.weights == DegreeWeights::SqrtDegree) return options.max_row_norm;
  require(options.max_out_degree >= 1, "maximum out-degree is {}, want at least 1", options.max_out_degree);
  return std::sqrt(static_cast<double>(options.max_out_degree)) * options.max_row_norm;
}

Bounded<Matrix> neighbor_sum(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options) {
  const double sensitivity = neighbor_sum_sensitivity(options);
  check(graph, rows, options);

  // scale_u = w_u * min(1, R / ‖row_u‖). A row that is not finite sends nothing.
  std::vector<Real> scales(static_cast<size_t>(rows.rows));
  kernels::row_norms(rows, scales);
  const double limit = options.max_row_norm * kRoundingMargin;
  for (int64_t u = 0; u < rows.rows; ++u) {
    const double norm = scales[u];
    const double clip = norm <= limit ? 1 : limit / norm;
    scales[u] = std::isfinite(norm) ? static_cast<Real>(clip * degree_weight(options, graph.out_degree(u))) : 0;
  }
  Matrix messages = Matrix::uninitialized(rows.rows, rows.cols);
  kernels::scale_rows(rows, scales, messages);
  for (int64_t u = 0; u < rows.rows; ++u) {
    if (scales[u] == 0) std::fill_n(messages.row(u).begin(), rows.cols, Real{0});
  }
  Matrix sums = Matrix::uninitialized(rows.rows, rows.cols);
  kernels::spmm(graph.in_view(), messages, sums);
  return {std::move(sums), {.amount = sensitivity, .norm = Norm::L2, .relation = options.relation}};
}

}  // namespace graphveil::bound
