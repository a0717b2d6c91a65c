#include "graphveil/bound/pagerank_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::bound {
namespace {

constexpr double kBelow = 1 - 1e-12;  // so that rounding in double cannot pass the limit

std::vector<graph::RankedNode> clipped(std::span<const graph::RankedNode> row, int32_t source,
                                       const PageRankRowsOptions& options) {
  std::vector<graph::RankedNode> out;
  double squares = 0;
  for (const graph::RankedNode& entry : row) {
    if (entry.node == source && !options.with_source) continue;
    out.push_back(entry);
    squares += entry.rank * entry.rank;
  }
  const double norm = std::sqrt(squares), limit = options.limit * kBelow;
  for (graph::RankedNode& entry : out) {
    if (options.clip == RowClip::Entries) {
      entry.rank = std::min(entry.rank, limit);
    } else if (norm > limit) {
      entry.rank *= limit / norm;
    }
  }
  return out;
}

}  // namespace

double pagerank_rows_sensitivity(RowClip clip, double limit, int64_t sources) {
  require(std::isfinite(limit) && limit > 0, "the limit of a row is {}, want a positive finite number", limit);
  require(sources >= 1, "there are {} sources, want at least 1", sources);
  return clip == RowClip::Entries ? limit : std::sqrt(2 * static_cast<double>(sources)) * limit;
}

Bound pagerank_rows_bound(double limit, int64_t sources) {
  const double sensitivity = pagerank_rows_sensitivity(RowClip::Norm, limit, sources);
  return Voucher::stated(source::PageRankRows{sources}, sensitivity, Norm::L2);
}

Bound pagerank_picks_bound(double limit) {
  return Voucher::stated(source::PageRankPicks{}, pagerank_rows_sensitivity(RowClip::Entries, limit, 1), Norm::LInf);
}

Bound pagerank_values_bound(double limit) {
  return Voucher::stated(source::PageRankValues{}, pagerank_rows_sensitivity(RowClip::Entries, limit, 1), Norm::LInf);
}

PageRankRows::PageRankRows(const graph::Graph& graph, std::span<const int32_t> sources,
                           const PageRankRowsOptions& options)
    : options_(options), nodes_(graph.nodes()), sources_(sources.begin(), sources.end()), rows_(sources.size()) {
  for_each_pagerank(graph::symmetrized(graph), sources, options.pagerank,
                    [&](int64_t i, std::span<const graph::RankedNode> row) {
                      rows_[static_cast<size_t>(i)] = clipped(row, sources_[static_cast<size_t>(i)], options);
                    });
}

Bounded<SparseGrid> PageRankRows::rows(double step) const {
  require(is_grid_step(step), "a grid of step {}: want a power of two", step);
  SparseGrid grid{.cols = nodes_, .left_out = options_.with_source ? std::vector<int32_t>{} : sources_, .step = step};
  for (const std::vector<graph::RankedNode>& row : rows_) {
    for (const graph::RankedNode& entry : row) {
      const auto steps = static_cast<int64_t>(entry.rank / step);
      if (steps == 0) continue;
      grid.indices.push_back(entry.node);
      grid.values.push_back(steps);
    }
    grid.offsets.push_back(static_cast<int64_t>(grid.indices.size()));
  }
  const double amount = pagerank_rows_sensitivity(options_.clip, options_.limit, grid.rows());
  const Norm norm = options_.clip == RowClip::Entries ? Norm::LInf : Norm::L2;
  return Voucher::bounded(std::move(grid), {.amount = amount, .norm = norm, .relation = options_.relation});
}

Bounded<GridMatrix> PageRankRows::entries(std::span<const int32_t> columns, double step) const {
  require(options_.clip == RowClip::Entries, "entries are released of rows that were cut entry by entry");
  require(is_grid_step(step), "a grid of step {}: want a power of two", step);
  const auto rows = static_cast<int64_t>(rows_.size()), k = static_cast<int64_t>(columns.size()) / rows;
  require(k * rows == static_cast<int64_t>(columns.size()), "{} columns for {} rows", columns.size(), rows);
  GridMatrix out{IntegerMatrix<int64_t>(rows, k), step};
  for (int64_t i = 0; i < rows; ++i) {
    const std::vector<graph::RankedNode>& row = rows_[static_cast<size_t>(i)];
    for (int64_t j = 0; j < k; ++j) {
      const int32_t column = columns[static_cast<size_t>(i * k + j)];
      const auto at = std::ranges::lower_bound(row, column, {}, &graph::RankedNode::node);
      if (at != row.end() && at->node == column) out.values(i, j) = static_cast<int64_t>(at->rank / step);
    }
  }
  return Voucher::bounded(std::move(out),
                          {.amount = options_.limit, .norm = Norm::LInf, .relation = options_.relation});
}

}  // namespace graphveil::bound
