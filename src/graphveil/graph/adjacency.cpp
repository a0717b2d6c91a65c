#include "graphveil/graph/adjacency.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "graphveil/graph/rows_in_order.h"

namespace graphveil::graph {
namespace {

constexpr int64_t kRowGrain = 8192;
constexpr int64_t kEdgeGrain = 1 << 18;

void check_ends(int64_t nodes, std::span<const int32_t> ends, const char* which) {
  parallel_for(static_cast<int64_t>(ends.size()), kEdgeGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      require(ends[i] >= 0 && ends[i] < nodes, "{} of edge {} is {}, want 0 to {}", which, i, ends[i], nodes - 1);
    }
  });
}

// Sorts the rows, drops self-loops and duplicates, closes the gaps.
Adjacency finish_rows(std::vector<int64_t> offsets, std::vector<int32_t> neighbors, EdgeCleanup* cleanup) {
  const int64_t nodes = static_cast<int64_t>(offsets.size()) - 1;
  std::vector<int64_t> kept(nodes);
  std::atomic<int64_t> self_loops{0};
  parallel_for(nodes, kRowGrain, [&](int64_t begin, int64_t end) {
    int64_t loops = 0;
    for (int64_t u = begin; u < end; ++u) {
      const auto first = neighbors.begin() + offsets[u];
      auto last = neighbors.begin() + offsets[u + 1];
      std::sort(first, last);
      const auto [loop_begin, loop_end] = std::equal_range(first, last, static_cast<int32_t>(u));
      loops += loop_end - loop_begin;
      last = std::move(loop_end, last, loop_begin);
      kept[u] = std::unique(first, last) - first;
    }
    self_loops += loops;
  });
  const auto stored = static_cast<int64_t>(neighbors.size());
  int64_t size = 0;
  for (int64_t u = 0; u < nodes; ++u) {
    const int64_t row = offsets[u];
    if (row != size) std::copy_n(neighbors.begin() + row, kept[u], neighbors.begin() + size);
    offsets[u] = size;
    size += kept[u];
  }
  offsets[nodes] = size;
  neighbors.resize(static_cast<size_t>(size));
  if (cleanup) *cleanup = {.stored = stored, .self_loops = self_loops, .duplicates = stored - size - self_loops};
  return {std::move(offsets), std::move(neighbors)};
}

// Calls visit(row, neighbor) for entries [begin, end) of the lists.
template <typename Visit>
void for_entries(const Adjacency& lists, int64_t begin, int64_t end, Visit visit) {
  if (begin >= end) return;
  int64_t row = std::upper_bound(lists.offsets.begin(), lists.offsets.end(), begin) - lists.offsets.begin() - 1;
  for (int64_t i = begin; i < end; ++i) {
    while (i >= lists.offsets[row + 1]) ++row;
    visit(static_cast<int32_t>(row), lists.neighbors[i]);
  }
}

// A random function from node pairs to 64 bits.
class PairHash {
 public:
  explicit PairHash(const Seed& key) {
    RandomStream random(key, "pair hash");
    for (uint64_t& k : key_) k = random.next_u64();
  }
  uint64_t operator()(int32_t a, int32_t b) const {
    const uint64_t pair = uint64_t{static_cast<uint32_t>(a)} << 32 | static_cast<uint32_t>(b);
    return mix(mix(pair ^ key_[0]) + key_[1]) ^ key_[2];
  }

 private:
  static uint64_t mix(uint64_t x) {  // the finalizer of MurmurHash3
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
  }
  std::array<uint64_t, 3> key_;
};

// The sum of term(u, v), modulo 2^64, over the entries of the rows in [first, last).
template <typename Term>
uint64_t sum_over_entries(const Adjacency& adjacency, int64_t first, int64_t last, Term term) {
  std::atomic<uint64_t> total{0};
  parallel_for(last - first, kRowGrain, [&](int64_t begin, int64_t end) {
    uint64_t sum = 0;
    for (int64_t u = first + begin; u < first + end; ++u) {
      for (int32_t v : adjacency.of(u)) sum += term(static_cast<int32_t>(u), v);
    }
    total += sum;
  });
  return total;
}

}  // namespace

bool valid_offsets(const Adjacency& adjacency, int64_t begin, int64_t end) {
  const auto& offsets = adjacency.offsets;
  return !offsets.empty() && offsets[0] == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
         adjacency.first_entry == offsets[begin] && adjacency.edges() == offsets[end] - offsets[begin];
}

std::optional<int64_t> first_unclean_row(const Adjacency& adjacency, int64_t from, int64_t to) {
  const int64_t nodes = adjacency.nodes();
  std::atomic<int64_t> first{nodes};
  parallel_for(to - from, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t u = from + begin; u < from + end; ++u) {
      int64_t previous = -1;
      bool clean = true;
      for (int32_t v : adjacency.of(u)) {
        clean &= v > previous && v != u;
        previous = v;
      }
      if (clean && previous < nodes) continue;
      int64_t seen = first.load();
      while (u < seen && !first.compare_exchange_weak(seen, u)) {
      }
      return;
    }
  });
  return first < nodes ? std::optional<int64_t>(first) : std::nullopt;
}

Adjacency adjacency_from_edges(int64_t nodes, std::span<const int32_t> sources, std::span<const int32_t> targets,
                               bool both_directions, EdgeCleanup* cleanup) {
  require(nodes >= 0 && nodes <= kMaxNodes, "number of nodes is {}, want 0 to {}", nodes, kMaxNodes);
  require(sources.size() == targets.size(), "{} sources but {} targets", sources.size(), targets.size());
  check_ends(nodes, sources, "source");
  check_ends(nodes, targets, "target");
  return rows_in_order(
      nodes, std::ssize(sources),
      [&](int64_t begin, int64_t end, auto&& entry) {
        for (int64_t i = begin; i < end; ++i) {
          entry(sources[i], targets[i]);
          if (both_directions) entry(targets[i], sources[i]);
        }
      },
      both_directions ? 2 : 1, cleanup);
}

Adjacency cleaned(const Adjacency& adjacency, EdgeCleanup* cleanup) {
  require(valid_offsets(adjacency), "offsets must start at 0, never fall and end at {}", adjacency.edges());
  if (!first_unclean_row(adjacency)) {
    if (cleanup) *cleanup = {.stored = adjacency.edges()};
    return adjacency;
  }
  check_ends(adjacency.nodes(), adjacency.neighbors, "neighbor");
  return finish_rows({adjacency.offsets.begin(), adjacency.offsets.end()},
                     {adjacency.neighbors.begin(), adjacency.neighbors.end()}, cleanup);
}

Adjacency transposed(const Adjacency& adjacency) {
  return rows_in_order(adjacency.nodes(), adjacency.edges(), [&](int64_t begin, int64_t end, auto&& entry) {
    for_entries(adjacency, begin, end, [&](int32_t u, int32_t v) { entry(v, u); });
  });
}

Adjacency with_reverses(const Adjacency& adjacency) {
  return rows_in_order(
      adjacency.nodes(), adjacency.edges(),
      [&](int64_t begin, int64_t end, auto&& entry) {
        for_entries(adjacency, begin, end, [&](int32_t u, int32_t v) {
          entry(u, v);
          entry(v, u);
        });
      },
      2);
}

uint64_t symmetry_sum(const Adjacency& adjacency, const Seed& key, int64_t begin, int64_t end) {
  // Entry (u, v) adds +h(u, v) above the diagonal and -h(v, u) below: the two directions of an edge cancel, and
  // what is left of the others is a random sum, zero with probability 2^-64.
  const PairHash hash(key);
  return sum_over_entries(adjacency, begin, end,
                          [&](int32_t u, int32_t v) { return u < v ? hash(u, v) : 0 - hash(v, u); });
}

uint64_t transpose_sum(const Adjacency& out, const Adjacency& in, const Seed& key, int64_t begin, int64_t end) {
  const PairHash hash(key);
  return sum_over_entries(out, begin, end, [&](int32_t u, int32_t v) { return hash(u, v); }) -
         sum_over_entries(in, begin, end, [&](int32_t v, int32_t u) { return hash(u, v); });
}

bool is_symmetric(const Adjacency& adjacency) {
  return symmetry_sum(adjacency, Seed::from_system(), 0, adjacency.nodes()) == 0;
}

bool is_transpose(const Adjacency& out, const Adjacency& in) {
  if (out.nodes() != in.nodes() || out.edges() != in.edges()) return false;
  return transpose_sum(out, in, Seed::from_system(), 0, out.nodes()) == 0;
}

}  // namespace graphveil::graph
