#include "graphveil/bound/neighborhoods.h"

#include <algorithm>
#include <utility>

#include "graphveil/base/error.h"

namespace graphveil::bound {

Neighborhoods::Neighborhoods(std::vector<int32_t> sources, const std::vector<std::vector<WeightedNode>>& lists,
                             int64_t nodes, int64_t cap)
    : sources_(std::move(sources)), cap_(cap), row_of_(static_cast<size_t>(nodes), -1) {
  require(sources_.size() == lists.size(), "{} lists for {} sources", lists.size(), sources_.size());
  require(cap >= 0, "a node may be in {} lists of others, want at least 0", cap);
  size_t longest = 0;
  for (size_t i = 0; i < lists.size(); ++i) {
    const int32_t source = sources_[i];
    require(source >= 0 && source < nodes && row_of_[static_cast<size_t>(source)] < 0,
            "source {} is out of range or there twice", source);
    row_of_[static_cast<size_t>(source)] = static_cast<int32_t>(i);
    longest = std::max(longest, lists[i].size());
  }
  std::vector<int64_t> uses(static_cast<size_t>(nodes), 0);
  std::vector<std::vector<WeightedNode>> kept(lists.size());
  for (size_t place = 0; place < longest; ++place) {
    for (size_t i = 0; i < lists.size(); ++i) {
      if (place >= lists[i].size()) continue;
      const WeightedNode& entry = lists[i][place];
      require(entry.node >= 0 && entry.node < nodes, "node {} of a list is out of range", entry.node);
      if (entry.node != sources_[i] && ++uses[static_cast<size_t>(entry.node)] > cap) continue;
      kept[i].push_back(entry);
    }
  }
  for (const std::vector<WeightedNode>& list : kept) {
    entries_.insert(entries_.end(), list.begin(), list.end());
    offsets_.push_back(static_cast<int64_t>(entries_.size()));
    longest_ = std::max(longest_, static_cast<int64_t>(list.size()));
  }
}

std::span<const WeightedNode> Neighborhoods::of(int32_t node) const {
  const int32_t row = row_of_[static_cast<size_t>(node)];
  if (row < 0) return {};
  const auto begin = offsets_[static_cast<size_t>(row)], end = offsets_[static_cast<size_t>(row) + 1];
  return std::span(entries_).subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

}  // namespace graphveil::bound
