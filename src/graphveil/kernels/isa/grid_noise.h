// What the levels of the noise on a grid share: plain structs, no functions.
#pragma once

#include <cstdint>

namespace graphveil::kernels::isa {

// Noise is made in chunks of 16 whole numbers from 16 random words of 64 bits.
constexpr int64_t kGridChunk = 16;
// Stands for a number that the doubles do not decide; the caller works it out.
constexpr int64_t kUndecided = INT64_MIN;

// A uniform number whose word is below these, or whose complement is, has cells too wide for a double: undecided.
constexpr uint64_t kGaussianLow = uint64_t{1} << 46, kGaussianHigh = uint64_t{1} << 40;
constexpr uint64_t kLaplaceLow = uint64_t{1} << 48;
constexpr uint64_t kGumbelLow = uint64_t{1} << 46, kGumbelHigh = uint64_t{1} << 48;

struct GridNoiseKernels {
  // Each reads 16 * chunks words and writes as many numbers, kUndecided where the answer is not sure. Returns
  // whether one was. scale in [1, 2^45].
  //
  // Words 0..7 of a chunk give radii, 8..15 angles; numbers 0..7 are the cosine parts, 8..15 the sine parts.
  bool (*gaussian)(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept;
  // One word a number; its lowest bit is the sign.
  bool (*laplace)(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept;
  bool (*gumbel)(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept;
  // values[i] += numbers[i], modulo 2^64 and 2^32.
  void (*add_wide)(const int64_t* numbers, int64_t* values, int64_t count) noexcept;
  void (*add_narrow)(const int64_t* numbers, int32_t* values, int64_t count) noexcept;
};

extern const GridNoiseKernels kGridNoiseGeneric;
extern const GridNoiseKernels kGridNoiseAvx2;
extern const GridNoiseKernels kGridNoiseAvx512;

}  // namespace graphveil::kernels::isa
