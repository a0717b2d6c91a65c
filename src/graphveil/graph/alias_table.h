// Drawing from a discrete distribution in constant time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/base/random.h"

namespace graphveil::graph {

// Walker's alias method. Draws item i with probability weights[i] / sum.
class AliasTable {
 public:
  // Weights finite and at least 0, their sum above 0, at most 2^31 - 1 of them; else InvalidArgument.
  explicit AliasTable(std::span<const double> weights);

  int64_t size() const { return static_cast<int64_t>(slots_.size()); }
  double total() const { return total_; }

  // One 64-bit word makes one item: its high half the slot, its low half the coin.
  int32_t draw(RandomStream& random) const {
    const uint64_t word = random.next_u64();
    const auto slot = static_cast<int32_t>((word >> 32) * slots_.size() >> 32);
    return static_cast<uint32_t>(word) < slots_[slot].threshold ? slot : slots_[slot].alias;
  }

 private:
  struct Slot {
    uint32_t threshold = UINT32_MAX;  // of 2^32: keep the slot's own item below it
    int32_t alias = 0;
  };
  std::vector<Slot> slots_;
  double total_ = 0;
};

}  // namespace graphveil::graph
