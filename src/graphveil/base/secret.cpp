#include "graphveil/base/secret.h"

#include <utility>

#include <openssl/crypto.h>

namespace graphveil {

void wipe(std::span<uint8_t> bytes) noexcept {
  if (!bytes.empty()) OPENSSL_cleanse(bytes.data(), bytes.size());
}

void wipe(std::string& text) noexcept {
  text.resize(text.capacity());  // no more than it has room for: nothing is allocated
  wipe({reinterpret_cast<uint8_t*>(text.data()), text.size()});
  text.clear();
}

// A short string lies in the object itself, so a move leaves it behind.
SecretText::SecretText(std::string&& text) : text_(std::move(text)) { wipe(text); }
SecretText::SecretText(SecretText&& other) noexcept : text_(std::move(other.text_)) { wipe(other.text_); }

SecretText& SecretText::operator=(SecretText&& other) noexcept {
  if (this == &other) return *this;
  wipe(text_);
  text_ = std::move(other.text_);
  wipe(other.text_);
  return *this;
}

}  // namespace graphveil
