// Random words to noise: the pure part of the noise fills, apart from where the words come from.
#pragma once

#include <cstdint>
#include <span>

namespace graphveil::kernels {

enum class NoiseKind { Gaussian, Laplace, Gumbel };

// Numbers are made in chunks of this many, from as many words.
inline constexpr int64_t kNoiseChunk = 32;
// A uniform number with a word below this has too few random bits near its end (relative spacing above 2^-20):
// it takes 64 bits more.
inline constexpr uint32_t kRareBelow = 1u << 20;

// Where the further bits of rare numbers come from.
class FurtherBits {
 public:
  virtual ~FurtherBits() = default;
  // Uniform in (0, 1) with 64 bits, always the same for the same position.
  virtual double uniform(int64_t position) = 0;
};

// out[i] = scale times number first + i of a fill. words and out are equally long, a multiple of kNoiseChunk, and
// first is one too. Gaussian: words 0..15 of a chunk give the radii, 16..31 the angles of 16 pairs. Laplace and
// Gumbel: a word a number. All CPU levels agree up to rounding.
void noise_from_words(NoiseKind kind, std::span<const uint32_t> words, std::span<float> out, double scale,
                      int64_t first, FurtherBits& further);

}  // namespace graphveil::kernels
