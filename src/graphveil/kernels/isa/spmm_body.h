// The inner loops of the sparse products, compiled once per level.
//
// A slice of `width` columns is held in `Count` registers of `Lanes` scalars. When the width is no multiple of
// Lanes the last register overlaps the one before: it starts at width - Lanes. Overlapping columns are then
// computed twice, from the same inputs in the same order, and stored twice with the same value; this needs all
// registers to be loaded before the first is stored, and no masks.
#pragma once

#include "graphveil/kernels/isa/spmm.h"
#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

constexpr int kMaxCount = 8;
// Rows of x wanted this many entries later are asked for now: hides the latency of the outer caches.
constexpr int64_t kAhead = 16;

template <int Lanes, int Count, bool Weighted>
struct SpmmLoops {
  using V = Vector<Lanes>;

  static inline int64_t start(int v, int64_t width) { return v + 1 < Count ? int64_t{v} * Lanes : width - Lanes; }

  static inline void add_entry(const SpmmSlice& s, int64_t entry, V (&sums)[Count]) {
    const Real* source = s.x + s.indices[entry] * s.x_stride;
    for (int v = 0; v < Count; ++v) {
      const V loaded = load<Lanes>(source + start(v, s.width));
      if constexpr (Weighted) {
        sums[v] += loaded * s.values[entry];
      } else {
        sums[v] += loaded;
      }
    }
  }

  static inline void read(const SpmmSlice& s, const Real* from, V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) sums[v] = load<Lanes>(from + start(v, s.width));
  }
  static inline void write(const SpmmSlice& s, Real* to, const V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) store<Lanes>(to + start(v, s.width), sums[v]);
  }

  static void gather(const SpmmSlice& slice, int64_t begin, int64_t end) noexcept {
    const SpmmSlice s = slice;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = s.rows ? s.rows[i] : i;
      V sums[Count] = {};
      if (s.add) read(s, s.out + i * s.out_stride, sums);
      const int64_t last = s.offsets[row + 1];
      int64_t e = s.offsets[row];
      if (last + kAhead <= s.last_entry) {
        for (; e < last; ++e) {
          const Real* later = s.x + s.indices[e + kAhead] * s.x_stride;
          for (int64_t c = 0; c < Count * Lanes; c += 64 / static_cast<int64_t>(sizeof(Real))) {
            __builtin_prefetch(later + c);
          }
          add_entry(s, e, sums);
        }
      }
      for (; e < last; ++e) add_entry(s, e, sums);  // the last rows, which have too little after them
      write(s, s.out + i * s.out_stride, sums);
    }
  }

  // The tile of x is in the inner cache already; what is not are the indices, of which each visit reads a short run
  // somewhere else. Those of a later row are asked for while this row is summed.
  static void gather_tile(const SpmmSlice& slice, int64_t begin, int64_t end, int64_t* cursor,
                          int64_t column_limit) noexcept {
    const SpmmSlice s = slice;
    for (int64_t i = begin; i < end; ++i) {
      const int32_t* later = s.indices + cursor[i - begin + kCursorPadding];
      __builtin_prefetch(later);
      __builtin_prefetch(later + 16);
      const int64_t row = s.rows ? s.rows[i] : i;
      const int64_t last = s.offsets[row + 1];
      int64_t e = cursor[i - begin];
      if (e >= last || s.indices[e] >= column_limit) continue;
      V sums[Count];
      read(s, s.out + i * s.out_stride, sums);
      do {
        add_entry(s, e, sums);
      } while (++e < last && s.indices[e] < column_limit);
      write(s, s.out + i * s.out_stride, sums);
      cursor[i - begin] = e;
    }
  }

  static void scatter(const SpmmSlice& slice, int64_t begin, int64_t end) noexcept {
    const SpmmSlice s = slice;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = s.rows ? s.rows[i] : i;
      V source[Count];
      read(s, s.x + i * s.x_stride, source);
      for (int64_t e = s.offsets[row]; e < s.offsets[row + 1]; ++e) {
        Real* target = s.out + s.indices[e] * s.out_stride;
        V sums[Count];
        read(s, target, sums);
        for (int v = 0; v < Count; ++v) sums[v] += Weighted ? source[v] * s.values[e] : source[v];
        write(s, target, sums);
      }
    }
  }
};

// Calls run.template operator()<Lanes, Count, Weighted>() with the register shape for the width.
template <int Lanes, int Count, typename Run>
inline void with_count(const SpmmSlice& s, Run run) {
  if constexpr (Count < kMaxCount) {
    if (s.width > int64_t{Count} * Lanes) return with_count<Lanes, Count + 1>(s, run);
  }
  if (s.values) return run(SpmmLoops<Lanes, Count, true>{});
  return run(SpmmLoops<Lanes, Count, false>{});
}

template <int Lanes, typename Run>
inline void with_shape(const SpmmSlice& s, Run run) {
  if constexpr (Lanes == kLanes) {
    if (s.width >= Lanes) return with_count<Lanes, 1>(s, run);
  } else if (s.width == Lanes) {
    return with_count<Lanes, 1>(s, run);
  } else if (s.width > Lanes) {
    if (s.values) return run(SpmmLoops<Lanes, 2, true>{});
    return run(SpmmLoops<Lanes, 2, false>{});
  }
  if constexpr (Lanes > 1) return with_shape<Lanes / 2>(s, run);
}

void spmm_gather(const SpmmSlice& s, int64_t begin, int64_t end) noexcept {
  with_shape<kLanes>(s, [&](auto loops) { loops.gather(s, begin, end); });
}

void spmm_gather_tile(const SpmmSlice& s, int64_t begin, int64_t end, int64_t* cursor, int64_t limit) noexcept {
  with_shape<kLanes>(s, [&](auto loops) { loops.gather_tile(s, begin, end, cursor, limit); });
}

void spmm_scatter(const SpmmSlice& s, int64_t begin, int64_t end) noexcept {
  with_shape<kLanes>(s, [&](auto loops) { loops.scatter(s, begin, end); });
}

constexpr SpmmKernels kSpmmTable{.max_width = int64_t{kMaxCount} * kLanes,
                                 .gather = spmm_gather,
                                 .gather_tile = spmm_gather_tile,
                                 .scatter = spmm_scatter};

}  // namespace
}  // namespace graphveil::kernels::isa
