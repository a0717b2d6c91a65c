#include "graphveil/bound/neighbor_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/ranks.h"
#include "graphveil/bound/out_degree.h"
#include "graphveil/graph/partition.h"
#include "graphveil/kernels/grid_rows.h"

namespace graphveil::bound {
namespace {

constexpr int64_t kRowGrain = 1024;
constexpr double kMostSteps = 0x1p30;  // of a message's length: the entries fit 32 bits

void check(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options, double step) {
  require(rows.rows == graph.nodes(), "{} rows for a graph of {} nodes", rows.rows, graph.nodes());
  require(options.relation != Relation::UndirectedEdge || graph.symmetric(),
          "relation undirected-edge wants a symmetric graph; this one is directed: use edge, or make it symmetric");
  require(is_grid_step(step) && options.max_row_norm / step <= kMostSteps,
          "a grid of step {} for rows of norm {}: want a power of two, not below 2^-30 of the norm", step,
          options.max_row_norm);
  if (options.relation == Relation::Record && options.weights == DegreeWeights::Drop) {
    int64_t largest = max_out_degree(graph);
    if (graph.partition() != nullptr) largest = largest_over(*current_ranks(), largest);
    require(largest <= options.max_out_degree, "a node has {} outgoing edges, the stated bound is {}", largest,
            options.max_out_degree);
  }
}

// How many whole messages what moves is worth.
int64_t moved_messages(const NeighborSumOptions& options) {
  switch (options.relation) {
    case Relation::Edge: return 1;
    case Relation::UndirectedEdge: return 2;
    case Relation::Node:
      require(options.protect_degree >= 1, "protected degree is {}, want at least 1", options.protect_degree);
      return options.protect_degree;
    case Relation::Record: break;
  }
  if (options.weights == DegreeWeights::SqrtDegree) return 1;
  require(options.max_out_degree >= 1, "maximum out-degree is {}, want at least 1", options.max_out_degree);
  return options.max_out_degree;
}

// row * scale in whole steps, rounded toward zero; returns the squared length.
double put_scaled(std::span<const Real> row, double scale, std::span<int32_t> out) {
  int64_t squares = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    const auto whole = static_cast<int32_t>(static_cast<double>(row[i]) * scale);
    out[i] = whole;
    squares += static_cast<int64_t>(whole) * whole;
  }
  return static_cast<double>(squares);
}

// The message of one node: at most `longest` steps long. A row that is not finite sends nothing.
void put_message(std::span<const Real> row, double longest, double weight_per_step, std::span<int32_t> out) {
  double squares = 0;
  for (const Real x : row) squares += static_cast<double>(x) * x;
  if (!std::isfinite(squares) || longest <= 0) {
    std::ranges::fill(out, 0);
    return;
  }
  const double length = std::sqrt(squares) * weight_per_step;
  double scale = length > longest ? weight_per_step * (longest / length) : weight_per_step;
  // Rounding in double can pass the bound by its last digits only; the whole numbers decide.
  while (put_scaled(row, scale, out) > longest * longest) scale *= 1 - 1e-9;
}

void put_messages(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options, double step,
                  IntegerMatrixView<int32_t> out) {
  if (options.relation != Relation::Record) return kernels::to_grid(rows, options.max_row_norm, step, out);
  parallel_for(rows.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t u = begin; u < end; ++u) {
      const double weight = degree_weight(options, graph.out_degree(u));
      put_message(rows.row(u), options.max_row_norm * weight / step * (1 - 1e-12), weight / step, out.row(u));
    }
  });
}

// With a row for every node that the graph's lists may name. A message is made where its node is; a rank's others are
// still to come.
IntegerMatrix<int32_t> messages(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options,
                                double step) {
  IntegerMatrix<int32_t> out(graph.reach(), rows.cols);
  put_messages(graph, rows, options, step, out.view().rows_at(graph.first_in_reach(), rows.rows));
  return out;
}

}  // namespace

double degree_weight(const NeighborSumOptions& options, int64_t out_degree) {
  if (options.relation != Relation::Record || out_degree == 0) return 1;
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
  return std::sqrt(static_cast<double>(moved_messages(options))) * options.max_row_norm;
}

Bound neighbor_sum_bound(const NeighborSumOptions& options) {
  return Voucher::stated(source::NeighborSum{moved_messages(options)}, neighbor_sum_sensitivity(options), Norm::L2);
}

Bounded<GridMatrix> neighbor_sum(const graph::Graph& graph, ConstMatrixView rows, const NeighborSumOptions& options,
                                 double step) {
  const double sensitivity = neighbor_sum_sensitivity(options);
  check(graph, rows, options, step);
  IntegerMatrix<int32_t> sent = messages(graph, rows, options, step);
  GridMatrix sums{IntegerMatrix<int64_t>(rows.rows, rows.cols), step};
  if (graph.partition() != nullptr) {
    sums.first_row = graph.partition()->begin;
    sums.part = true;
  }
  graph::sum_over_sources(graph, sent, sums.values);
  return Voucher::bounded(std::move(sums), {.amount = sensitivity, .norm = Norm::L2, .relation = options.relation});
}

}  // namespace graphveil::bound
