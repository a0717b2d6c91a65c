// The inner loops of the whole-number sparse products, compiled once per level. The shape is that of spmm_body.h: a
// slice of columns in `Count` registers of `Lanes` sums, the last one overlapping when the width is no multiple.
// Sums are unsigned inside, where wrapping is defined.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <type_traits>

#include "graphveil/kernels/isa/integer_spmm.h"

namespace graphveil::kernels::isa {
namespace {

// The number of columns that fit into the registers: sums of 64 bits may take half of the 32 that AVX-512 has.
template <typename Sum>
constexpr int kMaxRegisters = GRAPHVEIL_VECTOR_BYTES == 64 ? 2 * static_cast<int>(sizeof(Sum)) : 8;
constexpr int64_t kEntriesAhead = 16;

template <typename T, int Lanes>
struct IntegerVector {
  typedef T Type __attribute__((vector_size(Lanes * sizeof(T)), aligned(sizeof(T)), may_alias));
};
template <typename T>
struct IntegerVector<T, 1> {
  typedef T Type __attribute__((may_alias));
};

template <typename Sum, int Lanes, int Count>
struct IntegerLoops {
  using Unsigned = std::make_unsigned_t<Sum>;
  using V = typename IntegerVector<Unsigned, Lanes>::Type;
  using Slice = IntegerSpmmSlice<Sum>;

  static inline int64_t start(int v, int64_t width) { return v + 1 < Count ? int64_t{v} * Lanes : width - Lanes; }

  static inline V load_terms(const int32_t* from) {
    if constexpr (sizeof(Sum) == sizeof(int32_t)) {
      return *reinterpret_cast<const V*>(from);
    } else if constexpr (Lanes == 1) {
      return static_cast<Unsigned>(static_cast<int64_t>(*from));
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
    } else if constexpr (Lanes == 8) {  // the general form below makes two halves of it
      const __m256i terms = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from));
      return reinterpret_cast<V>(_mm512_maskz_cvtepi32_epi64(0xff, terms));
#endif
#if defined(__AVX2__)
    } else if constexpr (Lanes == 4) {
      return reinterpret_cast<V>(_mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i_u*>(from))));
#endif
    } else {
      using Terms = typename IntegerVector<int32_t, Lanes>::Type;
      using Signed = typename IntegerVector<int64_t, Lanes>::Type;
      return reinterpret_cast<V>(__builtin_convertvector(*reinterpret_cast<const Terms*>(from), Signed));
    }
  }
  static inline void add_entry(const Slice& s, int64_t entry, V (&sums)[Count]) {
    const int32_t* source = s.x + s.indices[entry] * s.x_stride;
    for (int v = 0; v < Count; ++v) sums[v] += load_terms(source + start(v, s.width));
  }
  static inline void prefetch(const Slice& s, int64_t entry) {
    const int32_t* later = s.x + s.indices[entry] * s.x_stride;
    for (int64_t c = 0; c < Count * Lanes; c += 64 / static_cast<int64_t>(sizeof(int32_t))) {
      __builtin_prefetch(later + c);
    }
  }
  static inline void read(const Slice& s, const Sum* from, V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) sums[v] = *reinterpret_cast<const V*>(from + start(v, s.width));
  }
  static inline void write(const Slice& s, Sum* to, const V (&sums)[Count]) {
    for (int v = 0; v < Count; ++v) *reinterpret_cast<V*>(to + start(v, s.width)) = sums[v];
  }

  static void gather(const Slice& slice, int64_t rows) noexcept {
    const Slice s = slice;
    for (int64_t i = 0; i < rows; ++i) {
      V sums[Count] = {};
      if (s.add) read(s, s.out + i * s.out_stride, sums);
      const int64_t last = s.ends[i];
      int64_t e = s.begins[i];
      for (; e + kEntriesAhead < last; ++e) {
        prefetch(s, e + kEntriesAhead);
        add_entry(s, e, sums);
      }
      // Behind this row's entries come the next row's.
      const int64_t skipped = s.begins[i + 1] - last;
      for (; e < last; ++e) {
        const int64_t ahead = e + kEntriesAhead + skipped;
        prefetch(s, ahead < s.last_entry ? ahead : s.last_entry);
        add_entry(s, e, sums);
      }
      write(s, s.out + i * s.out_stride, sums);
    }
  }

  static void gather_tile(const Slice& slice, int64_t rows, int64_t* cursor, int64_t column_limit) noexcept {
    const Slice s = slice;
    for (int64_t i = 0; i < rows; ++i) {
      const int32_t* later = s.indices + cursor[i + kIntegerCursorPadding];
      __builtin_prefetch(later);
      __builtin_prefetch(later + 16);
      const int64_t last = s.ends[i];
      int64_t e = cursor[i];
      if (e >= last || s.indices[e] >= column_limit) continue;
      V sums[Count];
      read(s, s.out + i * s.out_stride, sums);
      do {
        add_entry(s, e, sums);
      } while (++e < last && s.indices[e] < column_limit);
      write(s, s.out + i * s.out_stride, sums);
      cursor[i] = e;
    }
  }
};

// Calls run(IntegerLoops<Sum, Lanes, Count>{}) with the register shape for the width.
template <typename Sum, int Lanes, int Count, typename Run>
inline void with_registers(int64_t width, Run run) {
  if constexpr (Count < kMaxRegisters<Sum>) {
    if (width > int64_t{Count} * Lanes) return with_registers<Sum, Lanes, Count + 1>(width, run);
  }
  return run(IntegerLoops<Sum, Lanes, Count>{});
}

template <typename Sum>
constexpr int kSumLanes = GRAPHVEIL_VECTOR_BYTES / static_cast<int>(sizeof(Sum));

template <typename Sum, int Lanes, typename Run>
inline void with_integer_shape(int64_t width, Run run) {
  if constexpr (Lanes == kSumLanes<Sum>) {
    if (width >= Lanes) return with_registers<Sum, Lanes, 1>(width, run);
  } else if (width == Lanes) {
    return run(IntegerLoops<Sum, Lanes, 1>{});
  } else if (width > Lanes) {
    return run(IntegerLoops<Sum, Lanes, 2>{});
  }
  if constexpr (Lanes > 1) return with_integer_shape<Sum, Lanes / 2>(width, run);
}

template <typename Sum>
void integer_gather(const IntegerSpmmSlice<Sum>& s, int64_t rows) noexcept {
  with_integer_shape<Sum, kSumLanes<Sum>>(s.width, [&](auto loops) { loops.gather(s, rows); });
}

template <typename Sum>
void integer_gather_tile(const IntegerSpmmSlice<Sum>& s, int64_t rows, int64_t* cursor, int64_t limit) noexcept {
  with_integer_shape<Sum, kSumLanes<Sum>>(s.width, [&](auto loops) { loops.gather_tile(s, rows, cursor, limit); });
}

template <typename Sum>
constexpr IntegerSpmmLoops<Sum> kIntegerLoops{.max_width = int64_t{kMaxRegisters<Sum>} * kSumLanes<Sum>,
                                              .gather = integer_gather<Sum>,
                                              .gather_tile = integer_gather_tile<Sum>};

constexpr IntegerSpmmKernels kIntegerSpmmTable{.narrow = kIntegerLoops<int32_t>, .wide = kIntegerLoops<int64_t>};

}  // namespace
}  // namespace graphveil::kernels::isa
