// The name of a stream of random bits of base/random. The bits of a stream are used once: every fill and every sample
// has a (purpose, index) of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "graphveil/base/random.h"

namespace graphveil::kernels {

struct StreamName {
  const Seed& seed;
  std::string_view purpose;
  uint64_t index = 0;
};

// Where number i of a stream finds further bits when its own do not decide: block i, or blocks 2 i and 2 i + 1, of the
// upper half of the stream, which nothing else reads.
inline constexpr uint64_t kFurtherBlocks = uint64_t{1} << 63;
// A cipher block of a stream.
inline constexpr int64_t kStreamBlockBytes = 16;

}  // namespace graphveil::kernels
