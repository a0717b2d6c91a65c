#include "graphveil/nn/sample_rows.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "graphveil/base/parallel.h"

namespace graphveil::nn {
namespace {

constexpr int64_t kOwnersAtOnce = 4096;

}  // namespace

bool each_its_own_row(std::span<const int32_t> owners, int64_t samples) {
  if (std::ssize(owners) != samples) return false;
  std::atomic<bool> all = true;
  parallel_for(samples, kOwnersAtOnce, [&](int64_t begin, int64_t end) {
    bool here = true;
    for (int64_t r = begin; r < end; ++r) here &= owners[static_cast<size_t>(r)] == r;
    if (!here) all = false;
  });
  return all;
}

void SampleRows::assign(std::span<const int32_t> owners, int64_t samples) {
  owners_ = owners;
  order_.clear();
  one_row_each_ = each_its_own_row(owners, samples);
  contiguous_ = one_row_each_;
  if (one_row_each_) {
    offsets_.resize(static_cast<size_t>(samples) + 1);
    std::iota(offsets_.begin(), offsets_.end(), int64_t{0});
    return;
  }
  offsets_.assign(static_cast<size_t>(samples) + 1, 0);
  for (const int32_t owner : owners) ++offsets_[static_cast<size_t>(owner) + 1];
  for (size_t s = 0; s < static_cast<size_t>(samples); ++s) offsets_[s + 1] += offsets_[s];
  contiguous_ = std::is_sorted(owners.begin(), owners.end());
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
