// SHA-256.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace graphveil {

// Of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::span<const uint8_t> bytes);
  std::array<uint8_t, 32> digest();  // once, at the end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::array<uint8_t, 32> sha256(std::span<const uint8_t> bytes);
// 64 lower-case hexadecimal digits.
std::string to_hex(const std::array<uint8_t, 32>& digest);
std::string sha256_hex(std::span<const uint8_t> bytes);
std::string sha256_text(std::string_view text);

}  // namespace graphveil
