#include "graphveil/kernels/grid_transform.h"

#include <algorithm>
#include <cassert>

#include "graphveil/base/fixed_point.h"
#include "graphveil/kernels/isa/grid_noise.h"
#include "graphveil/kernels/isa/levels.h"

// Why the fast path never differs from the exact one.
//
// Write h = 2^-53 for half a unit in the last place of 1, u for the true uniform number and w for its word, and take
// words that are not rare. Each rounding of +, -, *, / and sqrt is within h relative; a fused multiply-add only leaves
// roundings out.
//
// E = -ln u.
//   u <= sqrt(1/2), so E >= 0.346. The double of w is off by h relative, and w stands for a cell of width 2^-64 / u
//   relative to u: E moves by h + 2^-64 / u. The exponent and 1 + f come out exactly. s (f - s^2 P) is at most
//   0.072, so its few roundings are below h / 2; f minus it rounds by 0.42 h; e ln 2 is exact in its larger part and
//   below 2^-90 wrong in the smaller; the polynomial is off by 2^-57 * 0.35; the last sum rounds by h E. Together
//   |dE| <= 2.2 h + h E + 2^-64 / u, that is |dE| / E <= 7.4 h + 2^-64 / (u E).
//   u > sqrt(1/2): f = u - 1 is off by h relative and 2^-64 for its cell; the rest as before, but in proportion to
//   |f| <= E: |dE| <= 4 h E + 2^-64.
// Gaussian. w >= 2^46 makes 2^-64 / (u E) at most 2^-46 / 12.4 (u E rises from u = 2^-18 to 1/e, and is above 0.24
//   after), so |dE| / E <= 2^-49.3 and the radius r = sqrt(2 E) is off by half of that and 2 roundings: r 2^-50.0.
//   Near u = 1 there is dE / r <= 2^-64 / sqrt(2 * 2^-24) < 2^-52 besides. Sine and cosine: the angle (at most pi/4
//   after the whole quarters) is off by 3 h relative and 2^-61, the polynomials by 2^-56, their roundings by 2 h:
//   below 5.5 h. One more rounding for the product: |dy| <= scale (r (2^-50.0 + 6.5 h) + 2^-52) < scale (r 2^-49.1 +
//   2^-52). The margin is scale (r + 1/4) 2^-48.
// Laplace. The cell is twice as wide, w >= 2^48: 2 * 2^-48 / 11 relative. |dy| <= scale (E 2^-49.4 + 2^-63) with the
//   product's rounding; the margin is scale (E + 1/4) 2^-48.
// Gumbel. ~w >= 2^48 makes dE / E <= 2^-48 + 4 h near u = 1, w >= 2^46 2^-49.3 at the other end. ln E moves by that,
//   and its own evaluation is off by 2.2 h + h |ln E|: |dy| <= scale (2^-47.8 + 2 h |ln E|). The margin is
//   scale (1 + |ln E|) 2^-46.
// A margin is itself rounded by 4 h relative, and the sum with a distance near 1/2 by h / 2, which scale >= 1 and the
// factor of two between each bound and its margin cover.

namespace graphveil::kernels {
namespace {

static_assert(kGridChunk == isa::kGridChunk);

// The middle of the cell of width 2^-192 that starts at word / 2^64 + ...
Fixed uniform_of(uint64_t word, const std::array<uint64_t, 2>& further) {
  return Fixed::fraction(word, further[0], further[1]) + Fixed(1).shifted_right(193);
}

// -ln of the uniform number, whose first word has `bits` bits.
Fixed energy_of(const Fixed& uniform, const Beyond& beyond, int bits) {
  if (beyond.levels == 0) return logarithm(uniform).size;
  return logarithm(Fixed(2)).size * (64 * beyond.levels - static_cast<uint64_t>(64 - bits)) +
         logarithm(uniform_of(beyond.word, beyond.further)).size;
}

// round(scale * size) with a sign.
int64_t rounded(const Fixed& size, double scale, bool negative) {
  const Fixed y = Fixed::from_double(scale) * size + Fixed::ratio(1, 2);
  const auto whole = static_cast<int64_t>(y.whole());
  return negative ? -whole : whole;
}

}  // namespace

GridPair exact_gaussian(uint64_t word, uint64_t angle, const FurtherWords& further, double scale) {
  const Fixed energy = energy_of(uniform_of(word, further.first), further.beyond, 64);
  const Fixed radius = square_root(energy + energy);
  const CosineSine part = cosine_sine(uniform_of(angle, further.second));
  return {.cosine = rounded(radius * part.cosine.size, scale, part.cosine.negative),
          .sine = rounded(radius * part.sine.size, scale, part.sine.negative)};
}

int64_t exact_laplace(uint64_t word, const FurtherWords& further, double scale) {
  const Fixed below = Fixed::fraction(0, further.first[0], further.first[1]) + Fixed(1).shifted_right(193);
  const Fixed u = Fixed::fraction(word & ~uint64_t{1}) + below.shifted_left(1);
  return rounded(energy_of(u, further.beyond, 63), scale, (word & 1) != 0);
}

int64_t exact_gumbel(uint64_t word, const FurtherWords& further, double scale) {
  if (~word == 0 && further.beyond.levels > 0) {
    // With w = 1 - u below 2^-64: -ln(-ln u) = -ln w - ln(1 + w/2 + w^2/3 + ...) = -ln w - (w/2 + 5 w^2/24), within
    // w^3.
    const Fixed uniform = uniform_of(further.beyond.word, further.beyond.further);
    const Fixed w = uniform.shifted_right(static_cast<int>(std::min<uint64_t>(64 * further.beyond.levels, 319)));
    const Fixed less = w.shifted_right(1) + w * w * 5 / 24;
    return rounded(energy_of(uniform, further.beyond, 64) - less, scale, false);
  }
  const SignedFixed log = logarithm(energy_of(uniform_of(word, further.first), further.beyond, 64));
  return rounded(log.size, scale, !log.negative);
}

namespace {

// What decides number `position`: further bits, and where its end of the range is when its word does not tell.
FurtherWords further_of(FurtherWordSource& source, int64_t position, bool at_end) {
  FurtherWords words = source.at(position);
  if (at_end) words.beyond = source.beyond(position);
  return words;
}

void decide_gaussian(std::span<const uint64_t> words, std::span<int64_t> out, double scale, int64_t first,
                     FurtherWordSource& further) {
  constexpr size_t kPairs = kGridChunk / 2;
  for (size_t chunk = 0; chunk < words.size(); chunk += kGridChunk) {
    for (size_t i = chunk; i < chunk + kPairs; ++i) {
      if (out[i] != isa::kUndecided && out[i + kPairs] != isa::kUndecided) continue;
      // The other number of the pair was right already, and comes out the same.
      const GridPair pair = exact_gaussian(words[i], words[i + kPairs],
                                           further_of(further, first + static_cast<int64_t>(i), words[i] == 0), scale);
      out[i] = pair.cosine;
      out[i + kPairs] = pair.sine;
    }
  }
}

template <typename Exact, typename AtEnd>
void decide(std::span<const uint64_t> words, std::span<int64_t> out, double scale, int64_t first,
            FurtherWordSource& further, Exact exact, AtEnd at_end) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (out[i] != isa::kUndecided) continue;
    out[i] = exact(words[i], further_of(further, first + static_cast<int64_t>(i), at_end(words[i])), scale);
  }
}

}  // namespace

void grid_noise_from_words(NoiseKind kind, std::span<const uint64_t> words, std::span<int64_t> out, double scale,
                           int64_t first, FurtherWordSource& further) {
  assert(words.size() == out.size() && words.size() % kGridChunk == 0 && first % kGridChunk == 0);
  const isa::GridNoiseKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kGridNoise);
  const auto chunks = static_cast<int64_t>(words.size()) / kGridChunk;
  switch (kind) {
    case NoiseKind::Gaussian:
      if (kernels.gaussian(words.data(), out.data(), chunks, scale)) {
        decide_gaussian(words, out, scale, first, further);
      }
      break;
    case NoiseKind::Laplace:
      if (kernels.laplace(words.data(), out.data(), chunks, scale)) {
        decide(words, out, scale, first, further, exact_laplace, [](uint64_t word) { return word >> 1 == 0; });
      }
      break;
    case NoiseKind::Gumbel:
      if (kernels.gumbel(words.data(), out.data(), chunks, scale)) {
        decide(words, out, scale, first, further, exact_gumbel, [](uint64_t word) { return word == 0 || ~word == 0; });
      }
      break;
  }
}

}  // namespace graphveil::kernels
