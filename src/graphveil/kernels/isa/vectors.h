// Vector registers as the compiler's own vector types: arithmetic on them is plain + and *, and the same source
// serves every level. The including file sets GRAPHVEIL_VECTOR_BYTES (16, 32 or 64). Everything here has internal
// linkage, because each level compiles its own copy.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "graphveil/base/real.h"

namespace graphveil::kernels::isa {
namespace {

// Real scalars in one register.
constexpr int kLanes = GRAPHVEIL_VECTOR_BYTES / static_cast<int>(sizeof(Real));

// `Lanes` scalars; may be loaded from any address a scalar may have.
template <int Lanes>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(Lanes * sizeof(Real)), aligned(sizeof(Real)), may_alias));
};
template <>
struct VectorOf<1> {
  typedef Real Type __attribute__((may_alias));
};

template <int Lanes>
using Vector = typename VectorOf<Lanes>::Type;

template <int Lanes>
inline Vector<Lanes> load(const Real* from) {
  return *reinterpret_cast<const Vector<Lanes>*>(from);
}

template <int Lanes>
inline void store(Real* to, Vector<Lanes> value) {
  *reinterpret_cast<Vector<Lanes>*>(to) = value;
}

using Reals = Vector<kLanes>;
inline Reals splat_real(Real value) { return value - Reals{}; }

// The first `count` lanes (0 < count < kLanes) of a register from and to memory; the other lanes read as `rest`.
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
// Masks by name: GCC 12 makes a chain of comparisons, one for each lane, of the loops below.
static_assert(kLanes == 16);
inline __mmask16 first_lanes(int64_t count) { return static_cast<__mmask16>((1u << count) - 1); }
inline Reals load_first(const Real* from, int64_t count, Real rest) {
  return _mm512_mask_loadu_ps(splat_real(rest), first_lanes(count), from);
}
inline void store_first(Real* to, int64_t count, Reals value) { _mm512_mask_storeu_ps(to, first_lanes(count), value); }
// The other lanes become zero.
inline Reals keep_first(Reals value, int64_t count) { return _mm512_maskz_mov_ps(first_lanes(count), value); }
#else
inline Reals load_first(const Real* from, int64_t count, Real rest) {
  Reals value{};
  for (int64_t l = 0; l < kLanes; ++l) value[l] = l < count ? from[l] : rest;
  return value;
}
inline void store_first(Real* to, int64_t count, Reals value) {
  for (int64_t l = 0; l < kLanes; ++l) {
    if (l < count) to[l] = value[l];
  }
}
// The other lanes become zero.
inline Reals keep_first(Reals value, int64_t count) {
  for (int64_t l = 0; l < kLanes; ++l) value[l] = l < count ? value[l] : Real(0);
  return value;
}
#endif

// map(column, read, write) for each register of a row: whole ones, and a part of one at the end.
template <typename Map>
inline void each_register(int64_t cols, Map map) {
  int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    map(
        c, [](const Real* from) { return load<kLanes>(from); },
        [](Real* to, Reals value) { store<kLanes>(to, value); });
  }
  const int64_t rest = cols - c;
  if (rest == 0) return;
  map(
      c, [=](const Real* from) { return load_first(from, rest, 0); },
      [=](Real* to, Reals value) { store_first(to, rest, value); });
}

}  // namespace
}  // namespace graphveil::kernels::isa
