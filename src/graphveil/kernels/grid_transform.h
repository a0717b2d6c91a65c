// Random words to rounded noise: the pure part of kernels/grid_noise, apart from where the words come from.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace graphveil::kernels {

enum class NoiseKind { Gaussian, Laplace, Gumbel };

// Numbers are made in chunks of this many, from as many words of 64 bits.
inline constexpr int64_t kGridChunk = 16;

// Where in the outermost 2^-64 a uniform number lies whose first word has no bit that tells (all zeros, or all ones
// where the other end counts): 2^(-64 levels) times a uniform number of 192 bits with a first word above 0. So an end
// has no end, and a number near it has as many bits as any other.
struct Beyond {
  uint64_t levels = 0;  // 0: not asked for
  uint64_t word = 0;
  std::array<uint64_t, 2> further{};
};

// 128 further bits for each of the (at most two) uniform numbers behind a noise number.
struct FurtherWords {
  std::array<uint64_t, 2> first{}, second{};
  Beyond beyond{};  // of the first
};

// Where they come from.
class FurtherWordSource {
 public:
  virtual ~FurtherWordSource() = default;
  // Always the same for the same position.
  virtual FurtherWords at(int64_t position) = 0;
  virtual Beyond beyond(int64_t position) = 0;
};

// out[i] = round(scale * number first + i of a fill). words and out are equally long, a multiple of kGridChunk, and
// first is one too. Gaussian: words 0..7 of a chunk are the radii, 8..15 the angles of 8 pairs, and the further words
// are those at the position of the radius. Laplace and Gumbel: a word a number. Same bits on every CPU level: each
// number is the one that exact_grid_noise gives. scale in [1, 2^45].
void grid_noise_from_words(NoiseKind kind, std::span<const uint64_t> words, std::span<int64_t> out, double scale,
                           int64_t first, FurtherWordSource& further);

// What the numbers are, worked out to more than 200 bits in whole-number arithmetic. Let u and v be the middles of the
// cells of width 2^-192 that `word`, `angle` and the further words name.
// Gaussian: round(scale sqrt(-2 ln u) cos(2 pi v)), and with the sine. Gumbel: round(-scale ln(-ln u)).
// Laplace: round(-scale ln u) with u from the upper 63 bits of `word` (a cell of width 2^-191), negative when its
// lowest bit is set. Where `beyond` has levels, u (Gumbel at the upper end: 1 - u) is what it says instead.
struct GridPair {
  int64_t cosine = 0, sine = 0;
};
GridPair exact_gaussian(uint64_t word, uint64_t angle, const FurtherWords& further, double scale);
int64_t exact_laplace(uint64_t word, const FurtherWords& further, double scale);
int64_t exact_gumbel(uint64_t word, const FurtherWords& further, double scale);

}  // namespace graphveil::kernels
