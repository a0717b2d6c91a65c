#include "graphveil/nn/sample_rows.h"

#include <algorithm>

namespace graphveil::nn {

void SampleRows::assign(std::span<const int32_t> owners, int64_t samples) {
  owners_ = owners;
  offsets_.assign(static_cast<size_t>(samples) + 1, 0);
  for (const int32_t owner : owners) ++offsets_[static_cast<size_t>(owner) + 1];
  for (size_t s = 0; s < static_cast<size_t>(samples); ++s) offsets_[s + 1] += offsets_[s];
  contiguous_ = std::is_sorted(owners.begin(), owners.end());
  one_row_each_ = contiguous_ && static_cast<int64_t>(owners.size()) == samples &&
                  std::adjacent_find(owners.begin(), owners.end()) == owners.end();
  order_.clear();
  if (contiguous_) return;
  order_.resize(owners.size());
  for (size_t r = 0; r < owners.size(); ++r) {
    order_[static_cast<size_t>(offsets_[static_cast<size_t>(owners[r])]++)] = static_cast<int32_t>(r);
  }
  // Each offset has moved to the end of its sample: shift them back.
  for (size_t s = static_cast<size_t>(samples); s > 0; --s) offsets_[s] = offsets_[s - 1];
  offsets_[0] = 0;
}

}  // namespace graphveil::nn
