// Entries in any order become rows in order. A plain counting sort writes all over its result, which on lists larger
// than memory means a page of the disk for every entry. Here entries first go to buckets of neighboring rows, each
// bucket written front to back; then a bucket at a time is sorted in the cache, and the result is written front to
// back.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "graphveil/base/parallel.h"
#include "graphveil/graph/adjacency.h"

namespace graphveil::graph {

// visit(begin, end, entry) calls entry(row, neighbor), both in [0, nodes), `entries_per_item` times for each item in
// [begin, end); it is called twice for every item and must say the same both times. The rows come out clean.
template <typename Visit>
Adjacency rows_in_order(int64_t nodes, int64_t items, const Visit& visit, int64_t entries_per_item = 1,
                        EdgeCleanup* cleanup = nullptr) {
  constexpr int64_t kBucketEntries = 1 << 18;  // a bucket and its rows fit into the cache of a core
  constexpr int64_t kItemGrain = 1 << 18;
  constexpr int64_t kMaxPieces = 256;
  const int64_t entries = items * entries_per_item;
  int shift = 0;
  while (nodes >> shift > entries / kBucketEntries + 1) ++shift;
  const int64_t buckets = nodes > 0 ? ((nodes - 1) >> shift) + 1 : 0;
  const int64_t grain = std::max(kItemGrain, (items + kMaxPieces - 1) / kMaxPieces);
  const int64_t pieces = (items + grain - 1) / grain;

  // Where each piece of the items begins to write in each bucket.
  std::vector<int64_t> place(static_cast<size_t>(buckets * pieces + 1), 0);
  parallel_for(items, grain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> count(static_cast<size_t>(buckets), 0);
    visit(begin, end, [&](int32_t row, int32_t) { ++count[row >> shift]; });
    for (int64_t b = 0; b < buckets; ++b) place[b * pieces + begin / grain] = count[b];
  });
  int64_t before = 0;
  for (int64_t& p : place) before += std::exchange(p, before);
  const auto bucket_begin = [&](int64_t b) { return place[b * pieces]; };

  struct Entry {
    int32_t row, neighbor;
  };
  const auto bucketed = std::make_unique_for_overwrite<Entry[]>(static_cast<size_t>(entries));
  parallel_for(items, grain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> next(static_cast<size_t>(buckets));
    for (int64_t b = 0; b < buckets; ++b) next[b] = place[b * pieces + begin / grain];
    visit(begin, end, [&](int32_t row, int32_t neighbor) { bucketed[next[row >> shift]++] = {row, neighbor}; });
  });

  // Each bucket is sorted by itself, without self-loops and copies. What is left of its neighbors goes to its front.
  std::vector<int64_t> offsets(static_cast<size_t>(nodes + 1), 0);
  std::atomic<int64_t> self_loops{0};
  parallel_for(buckets, 1, [&](int64_t b, int64_t) {
    const int64_t first_row = b << shift, rows = std::min(nodes - first_row, int64_t{1} << shift);
    const Entry* const begin = bucketed.get() + bucket_begin(b);
    const Entry* const end = bucketed.get() + bucket_begin(b + 1);
    std::vector<int64_t> next(static_cast<size_t>(rows + 1), 0);
    for (const Entry* e = begin; e != end; ++e) ++next[e->row - first_row + 1];
    for (int64_t r = 0; r < rows; ++r) next[r + 1] += next[r];
    std::vector<int32_t> neighbors(static_cast<size_t>(end - begin));
    for (const Entry* e = begin; e != end; ++e) neighbors[next[e->row - first_row]++] = e->neighbor;
    // Every row's place is at its end now, which is where the next one began.
    int64_t row_begin = 0, kept = 0, loops = 0;
    for (int64_t r = 0; r < rows; ++r) {
      const auto first = neighbors.begin() + row_begin;
      auto last = neighbors.begin() + next[r];
      std::sort(first, last);
      const auto [loop_begin, loop_end] = std::equal_range(first, last, static_cast<int32_t>(first_row + r));
      loops += loop_end - loop_begin;
      last = std::unique(first, std::move(loop_end, last, loop_begin));
      kept = std::move(first, last, neighbors.begin() + kept) - neighbors.begin();
      offsets[first_row + r + 1] = last - first;
      row_begin = next[r];
    }
    if (kept > 0) std::memcpy(bucketed.get() + bucket_begin(b), neighbors.data(), static_cast<size_t>(kept) * 4);
    self_loops += loops;
  });
  for (int64_t u = 0; u < nodes; ++u) offsets[u + 1] += offsets[u];

  const int64_t size = offsets[nodes];
  const std::shared_ptr<int32_t[]> neighbors(new int32_t[static_cast<size_t>(size)]);
  parallel_for(buckets, 1, [&](int64_t b, int64_t) {
    const int64_t from = offsets[b << shift], to = offsets[std::min(nodes, (b + 1) << shift)];
    if (from < to) std::memcpy(neighbors.get() + from, bucketed.get() + bucket_begin(b), (to - from) * 4);
  });
  if (cleanup) *cleanup = {.stored = entries, .self_loops = self_loops, .duplicates = entries - size - self_loops};
  return {std::move(offsets), {std::span<const int32_t>(neighbors.get(), static_cast<size_t>(size)), neighbors}};
}

}  // namespace graphveil::graph
