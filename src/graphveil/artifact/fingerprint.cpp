#include "graphveil/artifact/fingerprint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
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

using Digest = std::array<uint8_t, 32>;

int64_t pieces_of(int64_t bytes) { return std::max<int64_t>(1, (bytes + kPiece - 1) / kPiece); }

std::span<const uint8_t> stretch(std::span<const uint8_t> bytes, int64_t begin, int64_t end) {
  return bytes.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

// SHA-256; of more than a piece, that of the hashes of its pieces.
std::string joined(int64_t bytes, std::span<const Digest> pieces) {
  if (bytes <= kPiece) return graphveil::to_hex(pieces.front());
  std::string text = fmt::format("pieces of {} of {} bytes:", kPiece, bytes);
  for (const Digest& piece : pieces) text.append(piece.begin(), piece.end());
  return sha256_text(text);
}

template <typename T>
std::span<const uint8_t> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()};
}

// Of an array that is all here.
struct HashHere {
  template <typename T>
  std::string operator()(std::span<const T> values) const {
    const std::span<const uint8_t> bytes = bytes_of(values);
    const int64_t size = std::ssize(bytes);
    std::vector<Digest> pieces(static_cast<size_t>(pieces_of(size)));
    parallel_for(std::ssize(pieces), 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) {
        pieces[static_cast<size_t>(p)] = sha256(stretch(bytes, p * kPiece, std::min(size, (p + 1) * kPiece)));
      }
    });
    return joined(size, pieces);
  }
  std::string operator()(const std::string& text) const { return (*this)(std::span<const char>(text)); }
};

// Of an array of which each rank has a stretch, in their order: rank 0 hears the hash, the others an empty one. A piece
// is hashed where its first byte is; who has more of it sends that there.
class HashOver {
 public:
  explicit HashOver(Ranks& ranks) : ranks_(ranks) {}

  template <typename T>
  std::string operator()(std::span<const T> values) const {
    return hash(bytes_of(values));
  }

 private:
  std::string hash(std::span<const uint8_t> mine) const {
    const auto size = static_cast<size_t>(ranks_.size()), own = static_cast<size_t>(ranks_.rank());
    std::vector<int64_t> begins{0};
    for (const int64_t length : all_gather(ranks_, std::ssize(mine))) begins.push_back(begins.back() + length);
    const int64_t all = begins.back();
    // Where the first byte of a piece is. An empty stretch has none, but for that of an empty array.
    const auto owner = [&](int64_t piece) {
      const auto after = std::upper_bound(begins.begin(), begins.end() - 1, piece * kPiece);
      return static_cast<size_t>(after - begins.begin() - 1);
    };
    // How much of a stretch belongs to a piece that has begun before it.
    const auto begun_before = [&](size_t r) {
      const int64_t into = begins[r] % kPiece;
      return into == 0 ? 0 : std::min(begins[r + 1] - begins[r], kPiece - into);
    };
    std::vector<std::span<const std::byte>> to(size);
    std::vector<std::span<std::byte>> from(size);
    const int64_t first = begins[own] + begun_before(own);  // of the pieces that begin here
    const int64_t pieces = begins[own + 1] > first ? pieces_of(begins[own + 1] - first) : all == 0 && owner(0) == own;
    std::vector<uint8_t> last;  // of which ranks behind may have the end
    if (pieces > 0) {
      const auto at = mine.begin() + (first + (pieces - 1) * kPiece - begins[own]);
      last.assign(at, mine.end());
      last.reserve(static_cast<size_t>(kPiece));
    }
    if (begun_before(own) > 0) {
      to[owner(begins[own] / kPiece)] = std::as_bytes(stretch(mine, 0, begun_before(own)));
    }
    std::vector<int64_t> ends(size, 0);
    for (size_t r = own + 1; r < size; ++r) {
      if (begun_before(r) == 0 || owner(begins[r] / kPiece) != own) continue;
      last.resize(last.size() + static_cast<size_t>(begun_before(r)));
      ends[r] = std::ssize(last);
    }
    for (size_t r = own + 1; r < size; ++r) {
      if (ends[r] == 0) continue;
      from[r] = std::as_writable_bytes(std::span(last))
                    .subspan(static_cast<size_t>(ends[r] - begun_before(r)), static_cast<size_t>(begun_before(r)));
    }
    ranks_.exchange(to, from);
    std::vector<Digest> digests(static_cast<size_t>(pieces));
    parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t at = first + p * kPiece - begins[own];
        digests[static_cast<size_t>(p)] = p + 1 < pieces ? sha256(stretch(mine, at, at + kPiece)) : sha256(last);
      }
    });
    std::vector<Digest> of_all(ranks_.first() ? static_cast<size_t>(pieces_of(all)) : 0);
    gather_first(ranks_, std::as_bytes(std::span(digests)), std::as_writable_bytes(std::span(of_all)));
    return ranks_.first() ? joined(all, of_all) : "";
  }

  Ranks& ranks_;
};

// `rows`: what hashes the entries of rows, of which a rank may have its own alone; all else is here.
template <typename Rows>
Fingerprint fingerprint_by(const graph::Dataset& data, const Rows& rows) {
  const HashHere here;
  // The shape is part of it: without it, arrays cut elsewhere could look the same.
  const auto of_sparse = [&](const SparseView& matrix) {
    const std::string indices = rows(matrix.indices), values = rows(matrix.values);
    return here(fmt::format("{}x{} {} {} {}", data.nodes(), matrix.cols, here(matrix.offsets), indices, values));
  };
  const graph::Features& features = data.features;
  Fingerprint out;
  out.edges = of_sparse(data.graph.in_view());
  if (features.is_sparse()) {
    out.features = of_sparse(features.sparse().view());
  } else {
    const std::string values = rows(features.dense_values().span());
    out.features = here(fmt::format("{}x{} {}", data.nodes(), features.cols(), values));
  }
  out.labels = here(data.labels.span());
  if (!data.ids.empty()) {
    out.ids = here(fmt::format("{} {}", here(data.ids.offsets().span()), here(data.ids.text().span())));
  }
  return out;
}

}  // namespace

Fingerprint fingerprint(const graph::Dataset& data) {
  if (!data.held) return fingerprint_by(data, HashHere());
  const std::array<std::string, 4>& stated = data.held->fingerprint;
  return {stated[0], stated[1], stated[2], stated[3]};
}

std::array<std::string, 4> lines_of(const Fingerprint& f) { return {f.edges, f.features, f.labels, f.ids}; }

void check_parts(Ranks& ranks, const graph::Dataset& data) {
  const Fingerprint found = fingerprint_by(data, HashOver(ranks));
  const auto same = static_cast<std::byte>(found == fingerprint(data));
  if (broadcast(ranks, std::span(&same, 1)).front() == std::byte{0}) {
    fail(ErrorKind::BadInput,
         "{}: these parts are not the graph that was split: one was changed, or is of another splitting; nothing was "
         "done",
         data.name);
  }
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
