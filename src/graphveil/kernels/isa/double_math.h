// Logarithm, sine and cosine of a register of doubles, for noise on a grid. The caller takes no decision that the
// stated errors could change (see kernels/grid_noise.h), so a level may fuse multiplications and additions as it
// likes. The polynomials interpolate at Chebyshev's points; their own errors are 2^-57 (logarithm, relative), 2^-56
// (sine) and 2^-59 (cosine).
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <cstdint>

namespace graphveil::kernels::isa {
namespace {

constexpr int kDoubleLanes = GRAPHVEIL_VECTOR_BYTES / 8;
typedef double Doubles __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));
typedef int64_t Longs __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));
typedef uint64_t Words64 __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(8), may_alias));

inline Doubles splat64(double value) { return value - Doubles{}; }
inline Words64 bits_of(Doubles x) { return reinterpret_cast<Words64>(x); }
inline Doubles doubles_of(Words64 x) { return reinterpret_cast<Doubles>(x); }
inline Longs longs_of(Words64 x) { return reinterpret_cast<Longs>(x); }
inline Words64 words_of(Longs x) { return reinterpret_cast<Words64>(x); }

// A double of this size has its last bit at 1: adding it rounds |x| < 2^51 to the nearest whole number, whose two's
// complement is the difference of the bits.
constexpr double kShift = 0x1.8p52;
constexpr uint64_t kShiftBits = 0x4338000000000000u;

inline Doubles square_root64(Doubles x) {
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
  return _mm512_maskz_sqrt_pd(0xff, x);  // the unmasked form trips a false warning of GCC 12
#elif GRAPHVEIL_VECTOR_BYTES == 32 && defined(__AVX__)
  return _mm256_sqrt_pd(x);
#elif GRAPHVEIL_VECTOR_BYTES == 16 && defined(__SSE2__)
  return _mm_sqrt_pd(x);
#else
  for (int l = 0; l < kDoubleLanes; ++l) x[l] = __builtin_sqrt(x[l]);
  return x;
#endif
}

// The nearest double.
inline Doubles to_double(Words64 w) {
#if defined(__AVX512DQ__)
  return __builtin_convertvector(w, Doubles);
#else
  // Each half stands exactly in the last bits of a double of a fixed size; only the last sum rounds.
  const Doubles high = doubles_of((w >> 32) | 0x4530000000000000u) - 0x1.00000001p84;
  const Doubles low = doubles_of((w & 0xffffffffu) | 0x4330000000000000u);
  return high + low;
#endif
}
inline Doubles to_double(Longs v) {
#if defined(__AVX512DQ__)
  return __builtin_convertvector(v, Doubles);
#else
  // The upper half with its sign, shifted to be positive.
  const Words64 shifted = words_of(v) + 0x8000000000000000u;
  const Doubles high = doubles_of((shifted >> 32) | 0x4530000000000000u) - (0x1.00000001p84 + 0x1p63);
  const Doubles low = doubles_of((words_of(v) & 0xffffffffu) | 0x4330000000000000u);
  return high + low;
#endif
}

// -(ln(1 + f) + e ln 2) for f in [sqrt(1/2) - 1, sqrt(2) - 1] and whole |e| < 1000. With s = f / (2 + f),
// ln(1 + f) = 2 atanh(s) = f - s (f - s^2 P(s^2)).
inline Doubles minus_log_of_parts(Doubles f, Doubles e) {
  const Doubles s = f / (f + 2.0);
  const Doubles z = s * s, zz = z * z;
  const Doubles p01 = z * 0x1.99999999952d7p-2 + 0x1.5555555555558p-1;
  const Doubles p23 = z * 0x1.c71c62e3f11e6p-3 + 0x1.2492492df281ap-2;
  const Doubles p45 = z * 0x1.39fe51a7c18f9p-3 + 0x1.7462b51cb66b1p-3;
  const Doubles p = p01 + zz * (p23 + zz * (p45 + zz * 0x1.2b5900de53b32p-3));
  const Doubles curved = s * (f - z * p);
  constexpr double kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45;  // e times the first is exact
  return ((curved - e * kLn2Low) - f) - e * kLn2High;
}

// x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); x is positive and normal.
inline void split64(Doubles x, Doubles& f, Doubles& e) {
  constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcdu, kBias = uint64_t{1023} << 52;  // bits of sqrt(1/2)
  const Words64 biased = (bits_of(x) - kRootHalf + kBias) >> 52;
  const Words64 exponent = biased - 1023u;
  f = doubles_of(bits_of(x) - (exponent << 52)) - 1.0;
  e = doubles_of(exponent + kShiftBits) - kShift;
}

// -ln u for any u in the cell [w, w + 1) / 2^64. Near 1 what counts is 1 - u, which is in (~w, ~w + 1] / 2^64.
inline Doubles minus_log_uniform64(Words64 w) {
  const Words64 near_one = words_of(w >= 0xb504f333f9de6485u);  // u above sqrt(1/2)
  const Doubles x = to_double((near_one & ~w) | (~near_one & w));
  Doubles f, e;
  split64(x, f, e);
  f = doubles_of((near_one & bits_of(x * -0x1p-64)) | (~near_one & bits_of(f)));
  e = doubles_of(~near_one & bits_of(e - 64.0));
  return minus_log_of_parts(f, e);
}

// Cosine and sine of w / 2^64 turns. The quarter turn nearest is taken off, exactly, in whole numbers; what is left
// is within an eighth of a turn of zero.
inline void cosine_sine64(Words64 w, Doubles& cosine, Doubles& sine) {
  const Words64 quarter = (w + 0x2000000000000000u) >> 62;
  const Doubles x = to_double(longs_of(w - (quarter << 62))) * (0x1.921fb54442d18p+0 * 0x1p-62);
  const Doubles z = x * x, zz = z * z;
  const Doubles s01 = z * 0x1.1111111110bb2p-7 - 0x1.5555555555555p-3;
  const Doubles s23 = z * 0x1.71de379654304p-19 - 0x1.a01a019e83816p-13;
  const Doubles s45 = z * 0x1.5e0b05bff20f2p-33 - 0x1.ae600aca92c64p-26;
  const Doubles s = x + x * z * (s01 + zz * (s23 + zz * s45));
  const Doubles c01 = 0x1.5555555555555p-5 - z * 0x1.6c16c16c16967p-10;
  const Doubles c23 = 0x1.a01a019f4e9b4p-16 - z * 0x1.27e4fa17bf139p-22;
  const Doubles c45 = 0x1.1eeb68cd22f56p-29 - z * 0x1.907d8f29fe831p-37;
  const Doubles c = (1.0 - 0.5 * z) + zz * (c01 + zz * (c23 + zz * c45));
  // Quarters 0, 1, 2, 3: (c, s), (-s, c), (-c, -s), (s, -c).
  const Words64 swap = -(quarter & 1u);
  const Words64 exchange = (bits_of(s) ^ bits_of(c)) & swap;
  cosine = doubles_of((bits_of(c) ^ exchange) ^ (((quarter + 1u) & 2u) << 62));
  sine = doubles_of((bits_of(s) ^ exchange) ^ ((quarter & 2u) << 62));
}

}  // namespace
}  // namespace graphveil::kernels::isa
