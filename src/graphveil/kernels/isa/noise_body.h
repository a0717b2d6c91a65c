// Random words to noise, compiled once per level. All levels make the same decisions from the same words; their
// numbers differ by rounding only.
#pragma once

#include "graphveil/kernels/isa/noise.h"
#include "graphveil/kernels/isa/vector_math.h"

namespace graphveil::kernels::isa {
namespace {

inline Words load_words(const uint32_t* from) { return *reinterpret_cast<const Words*>(from); }
inline void store_floats(float* to, Floats value) { *reinterpret_cast<Floats*>(to) = value; }

inline bool any(Ints mask) {
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
  return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
#else
  int32_t all = 0;
  for (int l = 0; l < kFloatLanes; ++l) all |= mask[l];
  return all != 0;
#endif
}

// Box and Muller: with E exponential and t uniform on the circle, sqrt(2 E) (cos t, sin t) is a pair of
// independent normal numbers.
bool noise_gaussian(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept {
  Ints rare{};
  for (int64_t i = 0; i < chunks; ++i, words += kNoiseChunk, out += kNoiseChunk) {
    for (int64_t l = 0; l < kNoiseChunk / 2; l += kFloatLanes) {
      const Words radius_word = load_words(words + l);
      rare |= radius_word < kRareBelow;
      const Floats radius = square_root(2.0f * minus_log_uniform(radius_word, 0.5f)) * scale;
      Floats cosine, sine;
      cosine_sine(load_words(words + kNoiseChunk / 2 + l), cosine, sine);
      store_floats(out + l, radius * cosine);
      store_floats(out + kNoiseChunk / 2 + l, radius * sine);
    }
  }
  return any(rare);
}

// The size is exponential, from the upper 31 bits: (w | 1) / 2^32 is the middle of their cell.
bool noise_laplace(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept {
  Ints rare{};
  for (int64_t i = 0; i < chunks * kNoiseChunk; i += kFloatLanes) {
    const Words word = load_words(words + i);
    rare |= word < kRareBelow;
    const Floats size = minus_log_uniform(word | 1u, 0.0f) * scale;
    store_floats(out + i, floats_of(bits_of(size) ^ ints_of(word << 31)));
  }
  return any(rare);
}

// -ln E with E exponential.
bool noise_gumbel(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept {
  Ints rare{};
  for (int64_t i = 0; i < chunks * kNoiseChunk; i += kFloatLanes) {
    const Words word = load_words(words + i);
    rare |= (word < kRareBelow) | (~word < kRareBelow);
    store_floats(out + i, logarithm(minus_log_uniform(word, 0.5f)) * -scale);
  }
  return any(rare);
}

constexpr NoiseKernels kNoiseTable{.gaussian = noise_gaussian, .laplace = noise_laplace, .gumbel = noise_gumbel};

}  // namespace
}  // namespace graphveil::kernels::isa
