#include "graphveil/artifact/fingerprint.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "graphveil/base/digest.h"
#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"

namespace graphveil::artifact {
namespace {

constexpr int64_t kPiece = int64_t{1} << 24;  // bytes

// SHA-256; of more than a piece, that of the hashes of its pieces.
template <typename T>
std::string hash_of(std::span<const T> values) {
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes());
  const auto size = static_cast<int64_t>(bytes.size());
  if (size <= kPiece) return sha256_hex(bytes);
  std::vector<std::array<uint8_t, 32>> pieces(static_cast<size_t>((size + kPiece - 1) / kPiece));
  parallel_for(size, kPiece, [&](int64_t begin, int64_t end) {
    pieces[static_cast<size_t>(begin / kPiece)] =
        sha256(bytes.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
  });
  std::string text = fmt::format("pieces of {} of {} bytes:", kPiece, size);
  for (const std::array<uint8_t, 32>& piece : pieces) text.append(piece.begin(), piece.end());
  return sha256_text(text);
}

std::string hash_of(const std::string& text) { return hash_of(std::span<const char>(text)); }

// The shape is part of it: without it, arrays cut elsewhere could look the same.
std::string hash_of(const SparseView& matrix) {
  return hash_of(fmt::format("{}x{} {} {} {}", matrix.rows, matrix.cols, hash_of(matrix.offsets),
                             hash_of(matrix.indices), hash_of(matrix.values)));
}

}  // namespace

Fingerprint fingerprint(const graph::Dataset& data) {
  const graph::Features& features = data.features;
  const std::string of_features =
      features.is_sparse()
          ? hash_of(features.sparse().view())
          : hash_of(fmt::format(
                "{}x{} {}", features.rows(), features.cols(),
                hash_of(std::span<const Real>(features.dense_values().begin(), features.dense_values().end()))));
  const std::string ids =
      data.ids.empty()
          ? std::string()
          : hash_of(fmt::format("{} {}", hash_of(data.ids.offsets().span()), hash_of(data.ids.text().span())));
  return {hash_of(data.graph.in_view()), of_features, hash_of(data.labels.span()), ids};
}

FingerprintKey new_fingerprint_key() { return Seed::from_system().bytes(); }

std::string keyed(const FingerprintKey& key, const std::string& text) {
  std::array<uint8_t, 32> code{};
  unsigned length = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const uint8_t*>(text.data()),
           text.size(), code.data(), &length) == nullptr ||
      length != code.size()) {
    fail(ErrorKind::Internal, "HMAC failed");
  }
  return to_hex(code);
}

std::string keyed(const FingerprintKey& key, const Fingerprint& fingerprint) {
  return keyed(key, fingerprint.edges + " " + fingerprint.features + " " + fingerprint.labels +
                        (fingerprint.ids.empty() ? "" : " " + fingerprint.ids));
}

std::string to_hex(const FingerprintKey& key) {
  std::string hex;
  hex.reserve(2 * key.size() + 1);  // a longer string would leave its shorter self behind
  for (const uint8_t byte : key) fmt::format_to(std::back_inserter(hex), "{:02x}", byte);
  return hex;
}

FingerprintKey key_from_hex(const std::string& text, const std::string& what) {
  FingerprintKey key{};
  if (text.size() < 2 * key.size()) fail(ErrorKind::BadInput, "{}: is no key of 64 hexadecimal digits", what);
  for (size_t i = 0; i < key.size(); ++i) {
    const char* at = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(at, at + 2, key[i], 16);
    if (error != std::errc() || end != at + 2) {
      fail(ErrorKind::BadInput, "{}: is no key of 64 hexadecimal digits", what);
    }
  }
  return key;
}

}  // namespace graphveil::artifact
