// Which rows of a graph a rank has, and which rows of others its edges name (base/ranks.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graphveil/base/integer_matrix.h"
#include "graphveil/base/matrix.h"
#include "graphveil/base/ranks.h"

namespace graphveil::graph {

// A rank's *reach*: the rows that its edges name and its own, in the order of the whole graph, so that its own follow
// `before` of others. Lists of neighbors name rows by their place there. Made once, then every exchange uses it.
struct Partition {
  int64_t nodes = 0;                        // of the whole graph
  std::vector<int64_t> cuts;                // rank r has rows [cuts[r], cuts[r + 1])
  int64_t begin = 0, end = 0;               // this rank's own
  int64_t before = 0;                       // rows of others that come first in its reach
  std::vector<int32_t> others;              // those rows of others, by their numbers in the whole graph, rising
  std::vector<int64_t> others_of;           // rank r has others[others_of[r] .. others_of[r + 1])
  std::vector<std::vector<int32_t>> asked;  // by rank: which own rows it names, counted from `begin`
  int64_t travel = 0;                       // rows of others that all ranks fetch together

  int64_t own() const { return end - begin; }
  int64_t reach() const { return own() + static_cast<int64_t>(others.size()); }
};

// Cuts rows so that ranks have about equal weight[v + 1] - weight[v] plus one each. A cut lies only where a multiple of
// `align` of the places (rising rows, say those that train) is before it, or none, or all: what is computed in blocks
// of places then lies on one rank. `places` may be empty. A rank is without a row only where the places leave no other
// choice, whatever the weights.
std::vector<int64_t> cut_rows(std::span<const int64_t> weight, std::span<const int32_t> places, int64_t align,
                              int ranks);

// What this rank reaches when its lists name `neighbors`, numbers in the whole graph, in any order and repeated: asks
// the others for it once.
Partition make_partition(Ranks& ranks, std::vector<int64_t> cuts, std::vector<int32_t> neighbors);

// `rows` has one row for each of the reach, its own filled: fetches those of others.
void fetch_rows(Ranks& ranks, const Partition& partition, MatrixView rows);
void fetch_rows(Ranks& ranks, const Partition& partition, IntegerMatrixView<int32_t> rows);

class Graph;
// Row v of `sums` is the sum over the sources of v. `rows` has one row for each of the reach, its own filled: of a
// rank's part those of others are fetched, and while they travel each sum begins with the rank's own. Whole numbers, so
// the order of the terms does not show.
void sum_over_sources(const Graph& graph, IntegerMatrixView<int32_t> rows, IntegerMatrixView<int64_t> sums);
// A row for each of the reach of a rank's part, of which `own` are its own.
Matrix reached_rows(const Graph& part, ConstMatrixView own);
// Throws Unsupported for a rank's part, before `what` takes it for a whole graph: noise for its rows would then be
// drawn from the streams of other rows.
void require_whole(const Graph& graph, const char* what);

}  // namespace graphveil::graph
