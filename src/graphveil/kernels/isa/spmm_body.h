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

  static inline void read(const SpmmSlice& s, const Real* from, V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) sums[v] = load<Lanes>(from + start(v, s.width));
  }
  static inline void write(const SpmmSlice& s, Real* to, const V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) store<Lanes>(to + start(v, s.width), sums[v]);
  }

  // x_stride as the compiler knows it, where rows of x lie next to each other; 0: as the slice says. A product in every
  // address takes longer than the sum.
  template <int Stride, typename Index>
  static inline const Real* source_of(const SpmmSlice& s, const Index* indices, int64_t entry) {
    return s.x + static_cast<int64_t>(indices[entry]) * (Stride > 0 ? Stride : s.x_stride);
  }
  template <int Stride, typename Index>
  static inline void add_from(const SpmmSlice& s, const Index* indices, int64_t entry, V (&sums)[Count]) {
    const Real* source = source_of<Stride>(s, indices, entry);
    for (int v = 0; v < Count; ++v) {
      const V loaded = load<Lanes>(source + start(v, Stride > 0 ? Stride : s.width));
      sums[v] += Weighted ? loaded * s.values[entry] : loaded;
    }
  }
  template <int Stride, typename Index>
  static inline void ask_for(const SpmmSlice& s, const Index* indices, int64_t entry) {
    const Real* later = source_of<Stride>(s, indices, entry + kAhead);
    for (int64_t c = 0; c < Count * Lanes; c += 64 / static_cast<int64_t>(sizeof(Real))) __builtin_prefetch(later + c);
  }

  // What is left of a row.
  template <int Stride, typename Index>
  static inline void finish_row(const SpmmSlice& s, const Index* indices, int64_t e, int64_t last, V (&sums)[Count]) {
    const bool ahead = last + kAhead <= s.last_entry;  // not in the last rows, which have too little after them
    for (; e < last; ++e) {
      if (ahead) ask_for<Stride>(s, indices, e);
      add_from<Stride>(s, indices, e, sums);
    }
  }

  template <int Stride, typename Index>
  static void gather_rows(const SpmmSlice& s, const Index* indices, int64_t begin, int64_t end) {
    const auto row_of = [&](int64_t i) { return s.rows ? s.rows[i] : i; };
    const auto begin_sums = [&](int64_t i, V(&sums)[Count]) {
      if (s.add) read(s, s.out + i * s.out_stride, sums);
    };
    int64_t i = begin;
    // Two rows at once, whose sums do not wait for each other.
    if constexpr (Count <= 2) {
      for (; i + 2 <= end; i += 2) {
        V one[Count] = {}, other[Count] = {};
        begin_sums(i, one);
        begin_sums(i + 1, other);
        const int64_t row = row_of(i), next = row_of(i + 1);
        int64_t e = s.offsets[row], f = s.offsets[next];
        const int64_t last = s.offsets[row + 1], last_of_next = s.offsets[next + 1];
        int64_t both = last - e < last_of_next - f ? last - e : last_of_next - f;
        const bool ahead = e + both + kAhead <= s.last_entry && f + both + kAhead <= s.last_entry;
        for (; both > 0; --both, ++e, ++f) {
          if (ahead) {
            ask_for<Stride>(s, indices, e);
            ask_for<Stride>(s, indices, f);
          }
          add_from<Stride>(s, indices, e, one);
          add_from<Stride>(s, indices, f, other);
        }
        finish_row<Stride>(s, indices, e, last, one);
        finish_row<Stride>(s, indices, f, last_of_next, other);
        write(s, s.out + i * s.out_stride, one);
        write(s, s.out + (i + 1) * s.out_stride, other);
      }
    }
    for (; i < end; ++i) {
      V sums[Count] = {};
      begin_sums(i, sums);
      const int64_t row = row_of(i);
      finish_row<Stride>(s, indices, s.offsets[row], s.offsets[row + 1], sums);
      write(s, s.out + i * s.out_stride, sums);
    }
  }

  static void gather(const SpmmSlice& slice, int64_t begin, int64_t end) noexcept {
    const SpmmSlice s = slice;
    const bool side_by_side = s.width == Count * Lanes && s.x_stride == s.width;
    if (!side_by_side) return gather_rows<0>(s, s.indices, begin, end);
    if (s.narrow != nullptr) return gather_rows<Count * Lanes>(s, s.narrow, begin, end);
    gather_rows<Count * Lanes>(s, s.indices, begin, end);
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
        add_from<0>(s, s.indices, e, sums);
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
