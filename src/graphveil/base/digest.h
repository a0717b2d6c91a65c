// SHA-256.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace graphveil {

std::array<uint8_t, 32> sha256(std::span<const uint8_t> bytes);
// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::span<const uint8_t> bytes);
std::string sha256_text(std::string_view text);

}  // namespace graphveil
