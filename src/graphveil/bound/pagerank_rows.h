// Rows of personalized PageRank, clipped so that no change in the graph can move one far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/bound/bounded.h"
#include "graphveil/bound/grid.h"
#include "graphveil/graph/pagerank.h"

namespace graphveil::bound {

// What keeps a row small.
enum class RowClip {
  Norm,     // the row is scaled to L2 norm at most `limit`
  Entries,  // each entry is cut to at most `limit`
};

struct PageRankRowsOptions {
  graph::PageRankOptions pagerank;
  RowClip clip = RowClip::Norm;
  double limit = 0.2;
  Relation relation = Relation::Node;
  bool with_source = false;  // whether a row has an entry for the source itself
};

// One row for each of the sources, which are public ids, over all nodes (or all but the source itself): entries in
// [0, limit], or of norm at most limit together, rounded toward zero to whole steps.
//
// Guarantee (any relation, nodes of any degree; nothing is assumed of what changed): a row has no negative entry, so
// two rows a, b of norm at most C have |a - b|^2 <= |a|^2 + |b|^2 <= 2 C^2, and the matrix of M rows moves by at most
// sqrt(2 M) C in L2. An entry in [0, C] moves by at most C.
class PageRankRows {
 public:
  // Computes the rows. Edges count in both directions.
  PageRankRows(const graph::Graph& graph, std::span<const int32_t> sources, const PageRankRowsOptions& options);

  // All rows, on the grid of this step: L2 with sqrt(2 M) C, or LInf with C.
  Bounded<SparseGrid> rows(double step) const;
  // The entries of row i at columns[i k], ..., columns[i k + k - 1], which are public: LInf with C.
  Bounded<GridMatrix> entries(std::span<const int32_t> columns, double step) const;

 private:
  PageRankRowsOptions options_;
  int64_t nodes_ = 0;
  std::vector<int32_t> sources_;
  std::vector<std::vector<graph::RankedNode>> rows_;  // clipped
};

// The sensitivity of rows(), for plans that have not seen the graph.
double pagerank_rows_sensitivity(RowClip clip, double limit, int64_t sources);
// The same for the lines of plans: rows of norm at most `limit` with Gaussian noise; picks by entries of at most
// `limit`, and entries(), each of which is one event.
Bound pagerank_rows_bound(double limit, int64_t sources);
Bound pagerank_picks_bound(double limit);
Bound pagerank_values_bound(double limit);

}  // namespace graphveil::bound
