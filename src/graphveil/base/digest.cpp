#include "graphveil/base/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "graphveil/base/error.h"

namespace graphveil {

std::array<uint8_t, 32> sha256(std::span<const uint8_t> bytes) {
  std::array<uint8_t, 32> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1 ||
      length != digest.size()) {
    fail(ErrorKind::Internal, "SHA-256 failed");
  }
  return digest;
}

std::string sha256_hex(std::span<const uint8_t> bytes) {
  std::string hex;
  for (uint8_t byte : sha256(bytes)) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_text(std::string_view text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace graphveil
