// Rows of one list that ranks share out (base/ranks.h): each has a stretch of it, one after the other. A sum over all
// of them goes from rank to rank in that order, so that it is made as one process makes it, to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graphveil/base/matrix.h"
#include "graphveil/base/ranks.h"

namespace graphveil {

class SharedRows {
 public:
  // `own` of the rows, maybe none, are this rank's. All ranks call this together, as they do all that talks below.
  SharedRows(Ranks& ranks, int64_t own);

  int64_t first() const { return begins_[static_cast<size_t>(ranks_.rank())]; }  // this rank's first in the list
  int64_t own() const { return begins_[static_cast<size_t>(ranks_.rank()) + 1] - first(); }
  int64_t all() const { return begins_.back(); }
  // Whether a rank begins within a piece, where every `piece` rows of the list make one.
  bool cut_within(int64_t piece) const;

  // In the order of the rows each rank has its turn: what the one before has left in `running` (rank 0: what it has
  // there) is changed by add(). Then all have what the last one left.
  template <typename T>
  void in_turn(std::span<T> running, const std::function<void()>& add) const {
    pass_on(std::as_writable_bytes(running), add);
  }
  // What the rank that has the first row of all has here.
  template <typename T>
  void tell_first(std::span<T> values) const {
    broadcast_from(owner_of_first(), std::as_writable_bytes(values));
  }
  // One row for each of the list, on every rank: for what cannot be made of a part of them.
  Matrix gathered(ConstMatrixView own) const;
  int64_t sum(int64_t value) const { return sum_over(ranks_, value); }

 private:
  void pass_on(std::span<std::byte> running, const std::function<void()>& add) const;
  void broadcast_from(size_t rank, std::span<std::byte> bytes) const;
  size_t owner_of_first() const;

  Ranks& ranks_;
  std::vector<int64_t> begins_;  // by rank, and the number of all
};

}  // namespace graphveil
