// Logarithm, exponential, sine and cosine of a register of floats, each within about 1e-7 relative (of the result,
// or of 1 for sine and cosine). The polynomials are the minimax ones of Moshier's Cephes library.
#pragma once

#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

// These work on floats also where Real is double.
constexpr int kFloatLanes = GRAPHVEIL_VECTOR_BYTES / 4;
typedef float Floats __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t Ints __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(4), may_alias));
typedef uint32_t Words __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(4), may_alias));

inline Floats splat(float value) { return value - Floats{}; }
inline Ints bits_of(Floats x) { return reinterpret_cast<Ints>(x); }
inline Floats floats_of(Ints x) { return reinterpret_cast<Floats>(x); }
inline Words words_of(Ints x) { return reinterpret_cast<Words>(x); }
inline Ints ints_of(Words x) { return reinterpret_cast<Ints>(x); }

inline Floats square_root(Floats x) {
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(0xffff, x);  // the unmasked form trips a false warning of GCC 12
#elif GRAPHVEIL_VECTOR_BYTES == 32 && defined(__AVX__)
  return _mm256_sqrt_ps(x);
#elif GRAPHVEIL_VECTOR_BYTES == 16 && defined(__SSE2__)
  return _mm_sqrt_ps(x);
#else
  for (int l = 0; l < kFloatLanes; ++l) x[l] = __builtin_sqrtf(x[l]);
  return x;
#endif
}

// ln(1 + f) + e ln 2 for f in [sqrt(1/2) - 1, sqrt(2) - 1] and whole e. ln 2 is split in two so that the product
// with e is exact in its larger part.
inline Floats log_of_parts(Floats f, Floats e) {
  Floats p = splat(7.0376836292e-2f);
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  const Floats square = f * f;
  const Floats small = p * f * square + e * -2.12194440e-4f - 0.5f * square;
  return (f + small) + e * 0.693359375f;
}

// x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); x is positive and normal.
inline void split(Floats x, Floats& f, Ints& e) {
  constexpr int32_t kRootHalf = 0x3f3504f3;  // the bits of sqrt(1/2)
  e = (bits_of(x) - kRootHalf) >> 23;
  f = floats_of(bits_of(x) - (e << 23)) - 1.0f;
}

// ln x for positive normal x.
inline Floats logarithm(Floats x) {
  Floats f;
  Ints e;
  split(x, f, e);
  return log_of_parts(f, __builtin_convertvector(e, Floats));
}

// -ln u for u = (w + half) / 2^32, w at least 2^20. A float holds 24 of the 32 bits of w. That is enough below 3/4;
// above, what counts is u - 1, and that is (w as a signed number + half) / 2^32.
inline Floats minus_log_uniform(Words w, float half) {
  constexpr float kUnit = 0x1p-32f;
  const Ints near_one = w >= 0xC0000000u;
  Floats f;
  Ints e;
  split(__builtin_convertvector(w, Floats) + half, f, e);
  const Floats u_minus_one = (__builtin_convertvector(ints_of(w), Floats) + half) * kUnit;
  f = near_one ? u_minus_one : f;
  e = near_one ? Ints{} : e - 32;
  return -log_of_parts(f, __builtin_convertvector(e, Floats));
}

// Cosine and sine of the angle (w + 1/2) / 2^32 turns. The quarter turn nearest is taken off, exactly, in whole
// numbers; what is left is within an eighth of a turn of zero.
inline void cosine_sine(Words w, Floats& cosine, Floats& sine) {
  const Words quarter = (w + 0x20000000u) >> 30;
  const Ints rest = ints_of(w - (quarter << 30));
  constexpr float kHalfPi = 1.57079632679489662f;
  const Floats x = (__builtin_convertvector(rest, Floats) + 0.5f) * (kHalfPi * 0x1p-30f);
  const Floats z = x * x;
  Floats s = splat(-1.9515295891e-4f);
  s = s * z + 8.3321608736e-3f;
  s = s * z - 1.6666654611e-1f;
  s = s * z * x + x;
  Floats c = splat(2.443315711809948e-5f);
  c = c * z - 1.388731625493765e-3f;
  c = c * z + 4.166664568298827e-2f;
  c = c * z * z - 0.5f * z + 1.0f;
  // Quarters 0, 1, 2, 3: (c, s), (-s, c), (-c, -s), (s, -c).
  const Ints swap = (quarter & 1u) != 0u;
  const Ints cosine_sign = ints_of(((quarter + 1u) & 2u) << 30);
  const Ints sine_sign = ints_of((quarter & 2u) << 30);
  cosine = floats_of(bits_of(swap ? s : c) ^ cosine_sign);
  sine = floats_of(bits_of(swap ? c : s) ^ sine_sign);
}

}  // namespace
}  // namespace graphveil::kernels::isa
