// The exponential of a register, and its relatives. float: polynomials of Moshier's Cephes library, relative error
// about 1e-7. double (gradient tests only): the C library, lane by lane.
#pragma once

#include "graphveil/kernels/isa/vectors.h"

namespace graphveil::kernels::isa {
namespace {

#ifdef GRAPHVEIL_DOUBLE

inline Reals exponential(Reals x) {
  for (int l = 0; l < kLanes; ++l) x[l] = __builtin_exp(x[l]);
  return x;
}
inline Reals exponential_minus_one(Reals x) {
  for (int l = 0; l < kLanes; ++l) x[l] = __builtin_expm1(x[l]);
  return x;
}
inline Reals magnitude(Reals x) { return x < 0.0 ? -x : x; }
inline Reals with_sign_of(Reals size, Reals x) { return x < 0.0 ? -size : size; }

#else

typedef int32_t RealBits __attribute__((vector_size(GRAPHVEIL_VECTOR_BYTES), aligned(4), may_alias));
inline RealBits real_bits(Reals x) { return reinterpret_cast<RealBits>(x); }
inline Reals from_bits(RealBits x) { return reinterpret_cast<Reals>(x); }
inline Reals power_of_two(RealBits n) { return from_bits((n + 127) << 23); }

// x = n ln 2 + r with n whole and |r| <= ln(2) / 2. Adding 1.5 * 2^23 rounds to a whole number and leaves it in the
// low bits. ln 2 is split in two so that the first product is exact.
inline Reals reduce(Reals x, RealBits& n) {
  constexpr float kRounder = 12582912.0f;
  const Reals rounded = x * 1.44269504088896341f + kRounder;
  n = real_bits(rounded) - real_bits(splat_real(kRounder));
  const Reals whole = rounded - kRounder;
  return (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
}

// e^r - 1 for |r| <= ln(2) / 2.
inline Reals small_exponential_minus_one(Reals r) {
  Reals p = splat_real(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return p * (r * r) + r;
}

// e^x. The power of two is applied in two halves, so that results below the normal range and overflow to infinity
// come out right. NaN stays NaN.
inline Reals exponential(Reals x) {
  x = x < -104.0f ? splat_real(-104.0f) : x;
  x = x > 89.0f ? splat_real(89.0f) : x;
  RealBits n;
  const Reals r = reduce(x, n);
  const RealBits half = n >> 1;
  return ((1.0f + small_exponential_minus_one(r)) * power_of_two(half)) * power_of_two(n - half);
}

// e^x - 1 for x <= 0 (not NaN below -87): 2^n (e^r - 1) + (2^n - 1), exact to rounding also near 0, where n = 0.
inline Reals exponential_minus_one(Reals x) {
  x = x < -87.0f ? splat_real(-87.0f) : x;
  RealBits n;
  const Reals r = reduce(x, n);
  const Reals power = power_of_two(n);
  return power * small_exponential_minus_one(r) + (power - 1.0f);
}

inline Reals magnitude(Reals x) { return from_bits(real_bits(x) & 0x7fffffff); }
inline Reals with_sign_of(Reals size, Reals x) {
  return from_bits(real_bits(size) | (real_bits(x) & static_cast<int32_t>(0x80000000)));
}

#endif

}  // namespace
}  // namespace graphveil::kernels::isa
