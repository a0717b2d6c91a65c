// Keys in memory: nothing of them is left where they were.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace graphveil {

// Overwrites with zeros, in a way that no compiler leaves out.
void wipe(std::span<uint8_t> bytes) noexcept;
// All that the string has room for; it is empty afterwards.
void wipe(std::string& text) noexcept;

// 256 bits that are gone from memory with the object; so are those of its copies.
struct Secret : std::array<uint8_t, 32> {
  Secret() : array{} {}
  Secret(const std::array<uint8_t, 32>& bytes) : array(bytes) {}
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { wipe(*this); }
};

// The text of a key. A move takes it from where it was.
class SecretText {
 public:
  SecretText() = default;
  // Takes the text, and wipes what it is given.
  explicit SecretText(std::string&& text);
  SecretText(SecretText&& other) noexcept;
  SecretText& operator=(SecretText&& other) noexcept;
  SecretText(const SecretText&) = delete;
  SecretText& operator=(const SecretText&) = delete;
  ~SecretText() { wipe(text_); }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace graphveil
