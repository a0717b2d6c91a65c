// The slow, obvious version of the noise transforms, in double, from the same words.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "graphveil/kernels/noise_transform.h"

namespace graphveil::reference {

// u = (w + fraction) / 2^bits. The fraction is 1/2, or 64 bits more for a word that is rare.
inline std::vector<double> noise(kernels::NoiseKind kind, std::span<const uint32_t> words, double scale, int64_t first,
                                 kernels::FurtherBits& further) {
  using kernels::kRareBelow;
  std::vector<double> out(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t w = words[i];
    const int64_t position = first + static_cast<int64_t>(i);
    if (kind == kernels::NoiseKind::Gaussian) {
      if (i % 32 >= 16) continue;
      const double fraction = w < kRareBelow ? further.uniform(position) : 0.5;
      const double u = (static_cast<double>(w) + fraction) / 0x1p32;
      // log1p keeps what is left of u near 1.
      const double exponential = u < 0.5 ? -std::log(u) : -std::log1p(-((0x1p32 - w) - fraction) / 0x1p32);
      const double angle = 2 * std::numbers::pi * (words[i + 16] + 0.5) / 0x1p32;
      out[i] = scale * std::sqrt(2 * exponential) * std::cos(angle);
      out[i + 16] = scale * std::sqrt(2 * exponential) * std::sin(angle);
    } else if (kind == kernels::NoiseKind::Laplace) {
      const double fraction = w < kRareBelow ? further.uniform(position) : 0.5;
      const double complement = (0x1p31 - (w >> 1)) - fraction;
      const double exponential =
          w < 0x80000000u ? -std::log(((w >> 1) + fraction) / 0x1p31) : -std::log1p(-complement / 0x1p31);
      out[i] = scale * ((w & 1) != 0 ? -exponential : exponential);
    } else {
      // Counted from the end the word is nearer to.
      const bool low = w < 0x80000000u;
      const uint32_t distance = low ? w : ~w;
      const double part =
          (static_cast<double>(distance) + (distance < kRareBelow ? further.uniform(position) : 0.5)) / 0x1p32;
      out[i] = -scale * std::log(low ? -std::log(part) : -std::log1p(-part));
    }
  }
  return out;
}

}  // namespace graphveil::reference
