// SHA-256.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace graphveil {

std::array<uint8_t, 32> sha256(std::span<const uint8_t> bytes);
// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const uint8_t> bytes);

}  // namespace graphveil
