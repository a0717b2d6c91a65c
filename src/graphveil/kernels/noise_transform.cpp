#include "graphveil/kernels/noise_transform.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "graphveil/kernels/isa/levels.h"
#include "graphveil/kernels/isa/noise.h"

namespace graphveil::kernels {
namespace {

static_assert(kNoiseChunk == isa::kNoiseChunk && kRareBelow == isa::kRareBelow);

// -ln u with u = (w + fraction) / 2^bits.
double minus_log(uint32_t w, double fraction, int bits) {
  return bits * std::numbers::ln2 - std::log(static_cast<double>(w) + fraction);
}

// The fast kernels write something for every number; these replace the few that need more bits.

void replace_rare_gaussian(std::span<const uint32_t> words, std::span<float> out, double scale, int64_t first,
                           FurtherBits& further) {
  constexpr size_t kPairs = kNoiseChunk / 2;
  for (size_t chunk = 0; chunk < words.size(); chunk += kNoiseChunk) {
    for (size_t i = chunk; i < chunk + kPairs; ++i) {
      if (words[i] >= kRareBelow) continue;
      const double fraction = further.uniform(first + static_cast<int64_t>(i));
      const double radius = scale * std::sqrt(2 * minus_log(words[i], fraction, 32));
      const double angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(words[i + kPairs]) + 0.5, -32);
      out[i] = static_cast<float>(radius * std::cos(angle));
      out[i + kPairs] = static_cast<float>(radius * std::sin(angle));
    }
  }
}

void replace_rare_laplace(std::span<const uint32_t> words, std::span<float> out, double scale, int64_t first,
                          FurtherBits& further) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] >= kRareBelow) continue;
    const double size = scale * minus_log(words[i] >> 1, further.uniform(first + static_cast<int64_t>(i)), 31);
    out[i] = static_cast<float>((words[i] & 1) != 0 ? -size : size);
  }
}

void replace_rare_gumbel(std::span<const uint32_t> words, std::span<float> out, double scale, int64_t first,
                         FurtherBits& further) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool low = words[i] < kRareBelow, high = ~words[i] < kRareBelow;
    if (!low && !high) continue;
    const double fraction = further.uniform(first + static_cast<int64_t>(i));
    // Near u = 1 the exponential -ln u is small and is taken from 1 - u, where the further bits are.
    const double exponential = low ? minus_log(words[i], fraction, 32)
                                   : -std::log1p(-std::ldexp(static_cast<double>(~words[i]) + fraction, -32));
    out[i] = static_cast<float>(-scale * std::log(exponential));
  }
}

}  // namespace

void noise_from_words(NoiseKind kind, std::span<const uint32_t> words, std::span<float> out, double scale,
                      int64_t first, FurtherBits& further) {
  assert(words.size() == out.size() && words.size() % kNoiseChunk == 0 && first % kNoiseChunk == 0);
  const isa::NoiseKernels& kernels = GRAPHVEIL_AT_LEVEL(isa::kNoise);
  const auto chunks = static_cast<int64_t>(words.size()) / kNoiseChunk;
  const float factor = static_cast<float>(scale);
  switch (kind) {
    case NoiseKind::Gaussian:
      if (kernels.gaussian(words.data(), out.data(), chunks, factor)) {
        replace_rare_gaussian(words, out, scale, first, further);
      }
      break;
    case NoiseKind::Laplace:
      if (kernels.laplace(words.data(), out.data(), chunks, factor)) {
        replace_rare_laplace(words, out, scale, first, further);
      }
      break;
    case NoiseKind::Gumbel:
      if (kernels.gumbel(words.data(), out.data(), chunks, factor)) {
        replace_rare_gumbel(words, out, scale, first, further);
      }
      break;
  }
}

}  // namespace graphveil::kernels
