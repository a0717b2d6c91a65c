// Random words to whole numbers, compiled once per level. A number is written only when its distance from the next
// rounding boundary is above the error of the doubles; the bounds are argued in kernels/grid_noise.cpp.
#pragma once

#include "graphveil/kernels/isa/double_math.h"
#include "graphveil/kernels/isa/grid_noise.h"

namespace graphveil::kernels::isa {
namespace {

inline Words64 load_words64(const uint64_t* from) { return *reinterpret_cast<const Words64*>(from); }

inline bool any64(Words64 mask) {
#if GRAPHVEIL_VECTOR_BYTES == 64 && defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
#else
  uint64_t all = 0;
  for (int l = 0; l < kDoubleLanes; ++l) all |= mask[l];
  return all != 0;
#endif
}

// Writes round(y). Returns |y - round(y)| + margin: below 1/2 the number is sure.
inline Doubles store_rounded(int64_t* to, Doubles y, Doubles margin) {
  const Doubles shifted = y + kShift;
  const Doubles off = y - (shifted - kShift);  // exact
  *reinterpret_cast<Words64*>(to) = bits_of(shifted) - kShiftBits;
  return doubles_of(bits_of(off) & 0x7fffffffffffffffu) + margin;
}

inline Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }

// Replaces the numbers that are in doubt.
inline void mark(int64_t* numbers, Words64 doubt) {
  Words64& value = *reinterpret_cast<Words64*>(numbers);
  value = (value & ~doubt) | (static_cast<uint64_t>(kUndecided) & doubt);
}

// Box and Muller: with E exponential and t uniform on the circle, sqrt(2 E) (cos t, sin t) is a pair of
// independent normal numbers. Radii and angles take turns in blocks of chunks: two short chains of operations overlap
// better in the processor than one long one.
constexpr int64_t kBlockChunks = 16;
constexpr int64_t kPairs = kGridChunk / 2;

// The place of pair i of a block.
inline int64_t place_of(int64_t i) { return i / kPairs * kGridChunk + i % kPairs; }

inline Words64 outside_gaussian(Words64 word) {
  // One comparison for both ends: kGaussianLow <= word < 2^64 - kGaussianHigh.
  return words_of(word - kGaussianLow >= uint64_t{0} - kGaussianHigh - kGaussianLow);
}

// A block whose numbers are nearly always sure, so it only notes whether one is not. Returns that.
inline bool gaussian_block(const uint64_t* words, int64_t* out, int64_t chunks, double scale, double* radii) {
  Words64 outside{};
  for (int64_t i = 0; i < chunks * kPairs; i += kDoubleLanes) {
    const Words64 word = load_words64(words + place_of(i));
    outside |= outside_gaussian(word);
    const Doubles energy = minus_log_uniform64(word);
    *reinterpret_cast<Doubles*>(radii + i) = square_root64(energy + energy) * scale;
  }
  Doubles furthest{};
  for (int64_t i = 0; i < chunks * kPairs; i += kDoubleLanes) {
    const Doubles radius = *reinterpret_cast<const Doubles*>(radii + i);
    const Doubles margin = (radius + 0.25 * scale) * 0x1p-48;
    Doubles cosine, sine;
    cosine_sine64(load_words64(words + place_of(i) + kPairs), cosine, sine);
    furthest = larger(furthest, store_rounded(out + place_of(i), radius * cosine, margin));
    furthest = larger(furthest, store_rounded(out + place_of(i) + kPairs, radius * sine, margin));
  }
  return any64(outside | words_of(furthest >= 0.5));
}

// Goes through the block again and marks the numbers in doubt.
void mark_gaussian_block(const uint64_t* words, int64_t* out, int64_t chunks, double scale, const double* radii) {
  for (int64_t i = 0; i < chunks * kPairs; i += kDoubleLanes) {
    const Words64 outside = outside_gaussian(load_words64(words + place_of(i)));
    const Doubles radius = *reinterpret_cast<const Doubles*>(radii + i);
    const Doubles margin = (radius + 0.25 * scale) * 0x1p-48;
    Doubles cosine, sine;
    cosine_sine64(load_words64(words + place_of(i) + kPairs), cosine, sine);
    mark(out + place_of(i), outside | words_of(store_rounded(out + place_of(i), radius * cosine, margin) >= 0.5));
    int64_t* second = out + place_of(i) + kPairs;
    mark(second, outside | words_of(store_rounded(second, radius * sine, margin) >= 0.5));
  }
}

bool grid_gaussian(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept {
  alignas(64) double radii[kBlockChunks * kPairs];
  bool unsure = false;
  for (int64_t first = 0; first < chunks; first += kBlockChunks) {
    const int64_t count = first + kBlockChunks < chunks ? kBlockChunks : chunks - first;
    const int64_t start = first * kGridChunk;
    if (gaussian_block(words + start, out + start, count, scale, radii)) {
      mark_gaussian_block(words + start, out + start, count, scale, radii);
      unsure = true;
    }
  }
  return unsure;
}

bool grid_laplace(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept {
  Words64 unsure{};
  for (int64_t i = 0; i < chunks * kGridChunk; i += kDoubleLanes) {
    const Words64 word = load_words64(words + i);
    const Words64 rare = words_of(word < kLaplaceLow);
    const Doubles size = minus_log_uniform64(word) * scale;
    const Doubles margin = (size + 0.25 * scale) * 0x1p-48;
    const Words64 doubt =
        rare | words_of(store_rounded(out + i, doubles_of(bits_of(size) ^ (word << 63)), margin) >= 0.5);
    mark(out + i, doubt);
    unsure |= doubt;
  }
  return any64(unsure);
}

// -ln E with E exponential.
bool grid_gumbel(const uint64_t* words, int64_t* out, int64_t chunks, double scale) noexcept {
  Words64 unsure{};
  for (int64_t i = 0; i < chunks * kGridChunk; i += kDoubleLanes) {
    const Words64 word = load_words64(words + i);
    const Words64 rare = words_of(word - kGumbelLow >= uint64_t{0} - kGumbelHigh - kGumbelLow);
    const Doubles energy = minus_log_uniform64(word);
    Doubles f, e;
    split64(energy, f, e);
    const Doubles y = minus_log_of_parts(f, e) * scale;
    const Doubles size = doubles_of(bits_of(y) & 0x7fffffffffffffffu);
    const Words64 doubt = rare | words_of(store_rounded(out + i, y, (size + scale) * 0x1p-46) >= 0.5);
    mark(out + i, doubt);
    unsure |= doubt;
  }
  return any64(unsure);
}

// Unsigned, where wrapping is defined.
void grid_add_wide(const int64_t* numbers, int64_t* values, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) {
    values[i] = static_cast<int64_t>(static_cast<uint64_t>(values[i]) + static_cast<uint64_t>(numbers[i]));
  }
}

void grid_add_narrow(const int64_t* numbers, int32_t* values, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) {
    values[i] = static_cast<int32_t>(static_cast<uint32_t>(values[i]) + static_cast<uint32_t>(numbers[i]));
  }
}

constexpr GridNoiseKernels kGridNoiseTable{.gaussian = grid_gaussian,
                                           .laplace = grid_laplace,
                                           .gumbel = grid_gumbel,
                                           .add_wide = grid_add_wide,
                                           .add_narrow = grid_add_narrow};

}  // namespace
}  // namespace graphveil::kernels::isa
