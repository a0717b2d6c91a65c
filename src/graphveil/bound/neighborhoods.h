// Released neighborhoods: which nodes' records a training sample reads, once a mechanism has said so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graphveil/bound/clipping.h"

namespace graphveil::bound {

struct WeightedNode {
  int32_t node;
  float weight;
};

// One list for each source. Public: made from what was released, and from public ids.
//
// Guarantee (node, record): the lists read no record, so they are the same for neighbors once the releases behind them
// are. A node is in the sample of its own id, if that is a source, and in at most `cap` others: del = cap + 1 samples
// hold it, and cap of them stand changed when it is blank.
class Neighborhoods {
 public:
  // lists[i] is what the sample of sources[i] reads. An entry (i, node) with node != sources[i] is dropped when the
  // node is in `cap` lists already; entries are taken by their place in the list, then by source.
  Neighborhoods(std::vector<int32_t> sources, const std::vector<std::vector<WeightedNode>>& lists, int64_t nodes,
                int64_t cap);

  std::span<const int32_t> sources() const { return sources_; }
  // The list of a source; empty for a node that is none.
  std::span<const WeightedNode> of(int32_t node) const;
  int64_t cap() const { return cap_; }
  int64_t longest() const { return longest_; }
  SampleDraw draw(double rate) const { return {rate, cap_ + 1, cap_}; }

 private:
  std::vector<int32_t> sources_;
  int64_t cap_;
  int64_t longest_ = 0;
  std::vector<int32_t> row_of_;  // of every node, -1 when it is no source
  std::vector<int64_t> offsets_ = {0};
  std::vector<WeightedNode> entries_;
};

}  // namespace graphveil::bound
