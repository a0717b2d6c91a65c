// What the levels of the noise fills share: plain structs, no functions.
#pragma once

#include <cstdint>

namespace graphveil::kernels::isa {

// Noise is made in chunks of 32 numbers from 32 random words.
constexpr int64_t kNoiseChunk = 32;
// A uniform number (w + 1/2) / 2^32 with w below this has too few random bits near zero: the number made from it
// is replaced by the caller, who draws more.
constexpr uint32_t kRareBelow = 1u << 20;

struct NoiseKernels {
  // Each reads 32 * chunks words and writes as many floats, times scale. Returns whether some word was rare.
  //
  // Words 0..15 of a chunk give radii, 16..31 angles; numbers 0..15 are the cosine parts, 16..31 the sine parts.
  // Rare: a radius word below kRareBelow.
  bool (*gaussian)(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept;
  // One word a number; its lowest bit is the sign. Rare: below kRareBelow.
  bool (*laplace)(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept;
  // One word a number. Rare: below kRareBelow, or its complement is.
  bool (*gumbel)(const uint32_t* words, float* out, int64_t chunks, float scale) noexcept;
};

extern const NoiseKernels kNoiseGeneric;
extern const NoiseKernels kNoiseAvx2;
extern const NoiseKernels kNoiseAvx512;

}  // namespace graphveil::kernels::isa
