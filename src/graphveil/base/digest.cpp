#include "graphveil/base/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "graphveil/base/error.h"

namespace graphveil {

namespace {

void check(bool good) {
  if (!good) fail(ErrorKind::Internal, "SHA-256 failed");
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() { check(context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1); }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;

void Sha256::add(std::span<const uint8_t> bytes) {
  check(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::array<uint8_t, 32> Sha256::digest() {
  std::array<uint8_t, 32> digest{};
  unsigned length = 0;
  check(EVP_DigestFinal_ex(state_->context, digest.data(), &length) == 1 && length == digest.size());
  return digest;
}

std::array<uint8_t, 32> sha256(std::span<const uint8_t> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digest();
}

std::string to_hex(const std::array<uint8_t, 32>& digest) {
  std::string hex;
  for (const uint8_t byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string sha256_hex(std::span<const uint8_t> bytes) { return to_hex(sha256(bytes)); }

std::string sha256_text(std::string_view text) {
  return sha256_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace graphveil
