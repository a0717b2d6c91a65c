// Rows of nodes in an order of their own, shared out anew: what is summed in that order is then summed by ranks that
// each have a stretch of it (base/shared_rows.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/ranks.h"
#include "graphveil/graph/features.h"
#include "graphveil/graph/partition.h"

namespace graphveil::graph {

// A list of nodes that all ranks know. Each fetches the rows of its stretch from the ranks that have them.
class ListedRows {
 public:
  // `list` has numbers in the whole graph; this rank's stretch is [cuts[rank], cuts[rank + 1]) of it.
  ListedRows(Ranks& ranks, const Partition& part, std::span<const int32_t> list, const std::vector<int64_t>& cuts);

  int64_t own() const { return own_; }
  // What the nodes of the stretch have, in its order, where this rank's nodes have `rows`. All ranks call it together.
  Matrix fetched(ConstMatrixView rows) const;
  std::vector<int32_t> fetched(std::span<const int32_t> values) const;
  Features fetched(const Features& rows) const;

 private:
  // What rank r sends, one after the other, becomes what its places have.
  template <typename T>
  std::vector<std::vector<T>> exchanged(const std::vector<std::vector<T>>& packed,
                                        const std::vector<int64_t>& expected) const;
  // Of rows of `width` numbers each.
  template <typename T>
  void fetch(std::span<const T> rows, int64_t width, std::span<T> out) const;

  Ranks& ranks_;
  int64_t own_ = 0;
  std::vector<std::vector<int32_t>> sent_;    // by rank: which own rows its stretch wants, in its order
  std::vector<std::vector<int64_t>> places_;  // by rank: which places of this stretch have rows of it
};

}  // namespace graphveil::graph
