// How much a compressed file may grow: the guard against archives that unpack without end.
#pragma once

#include <cstdint>

namespace graphveil::files {

// Deflate cannot do better than 1 : 1032.
inline constexpr int64_t kMaxDeflateRatio = 1032;

// The most bytes that all fields of a file of `file_bytes` may unpack to. Real graphs stay below 1 : 50; an
// archive of a megabyte that claims a gigabyte is refused.
constexpr int64_t expansion_limit(int64_t file_bytes) {
  constexpr int64_t kFloor = int64_t{16} << 20;
  constexpr int64_t kRatio = 256;
  return file_bytes > (INT64_MAX - kFloor) / kRatio ? INT64_MAX : kFloor + kRatio * file_bytes;
}

// Whether `compressed` bytes of deflate data can hold `declared` bytes.
constexpr bool can_expand_to(int64_t compressed, int64_t declared) {
  return declared / kMaxDeflateRatio <= compressed + 1;
}

}  // namespace graphveil::files
