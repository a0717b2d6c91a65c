#include "graphveil/base/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "graphveil/base/error.h"

namespace graphveil {
namespace {

constexpr size_t kBufferBytes = 512;

std::array<uint8_t, 32> sha256(std::span<const uint8_t> first, std::string_view second) {
  std::array<uint8_t, 32> digest{};
  unsigned length = 0;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), first.data(), first.size()) != 1 ||
      EVP_DigestUpdate(context.get(), second.data(), second.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1 || length != digest.size()) {
    fail(ErrorKind::Internal, "SHA-256 failed");
  }
  return digest;
}

void store_big_endian(uint64_t value, uint8_t* out) {
  for (int i = 0; i < 8; ++i) out[i] = static_cast<uint8_t>(value >> (56 - 8 * i));
}

}  // namespace

Seed Seed::from_system() {
  Seed seed;
  if (RAND_bytes(seed.bytes_.data(), static_cast<int>(seed.bytes_.size())) != 1) {
    fail(ErrorKind::Io, "the operating system gave no random bytes");
  }
  return seed;
}

Seed Seed::from_number(uint64_t number) {
  std::array<uint8_t, 8> bytes{};
  store_big_endian(number, bytes.data());
  Seed seed;
  seed.bytes_ = sha256(bytes, "graphveil seed");
  seed.reproducible_ = true;
  return seed;
}

Seed Seed::derived(std::string_view part) const {
  Seed seed = *this;
  seed.bytes_ = sha256(sha256(bytes_, "graphveil part"), part);
  return seed;
}

struct RandomStream::State {
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
  uint64_t index = 0;
  size_t used = kBufferBytes;  // of buffer
  std::array<uint8_t, kBufferBytes> buffer;

  // Writes keystream: the encryption of zeros.
  void keystream(uint8_t* out, size_t bytes) {
    std::memset(out, 0, bytes);
    while (bytes > 0) {
      const int step = static_cast<int>(std::min<size_t>(bytes, size_t{1} << 30));
      int written = 0;
      if (EVP_EncryptUpdate(cipher.get(), out, &written, out, step) != 1 || written != step) {
        fail(ErrorKind::Internal, "AES-256-CTR failed");
      }
      out += step;
      bytes -= static_cast<size_t>(step);
    }
  }
  void seek(uint64_t block) {
    std::array<uint8_t, 16> counter;
    store_big_endian(index, counter.data());
    store_big_endian(block, counter.data() + 8);
    if (EVP_EncryptInit_ex(cipher.get(), nullptr, nullptr, nullptr, counter.data()) != 1) {
      fail(ErrorKind::Internal, "AES-256-CTR could not be positioned");
    }
    used = kBufferBytes;
  }
  template <typename Word>
  Word next() {
    if (used + sizeof(Word) > kBufferBytes) {
      keystream(buffer.data(), kBufferBytes);
      used = 0;
    }
    Word word;
    std::memcpy(&word, buffer.data() + used, sizeof(Word));
    used += sizeof(Word);
    return word;
  }
};

RandomStream::RandomStream(const Seed& seed, std::string_view purpose, uint64_t index)
    : state_(std::make_unique<State>()) {
  const std::array<uint8_t, 32> key = sha256(seed.bytes(), purpose);
  const std::array<uint8_t, 16> zero{};
  if (!state_->cipher ||
      EVP_EncryptInit_ex(state_->cipher.get(), EVP_aes_256_ctr(), nullptr, key.data(), zero.data()) != 1) {
    fail(ErrorKind::Internal, "AES-256-CTR is not available");
  }
  seek(index);
}

RandomStream::~RandomStream() = default;
RandomStream::RandomStream(RandomStream&&) noexcept = default;
RandomStream& RandomStream::operator=(RandomStream&&) noexcept = default;

void RandomStream::seek(uint64_t index) {
  state_->index = index;
  state_->seek(0);
}

void RandomStream::seek_block(uint64_t block) { state_->seek(block); }

void RandomStream::fill(std::span<uint8_t> out) {
  const size_t buffered = std::min(out.size(), kBufferBytes - state_->used);
  if (buffered > 0) std::memcpy(out.data(), state_->buffer.data() + state_->used, buffered);
  state_->used += buffered;
  state_->keystream(out.data() + buffered, out.size() - buffered);
}

uint32_t RandomStream::next_u32() { return state_->next<uint32_t>(); }
uint64_t RandomStream::next_u64() { return state_->next<uint64_t>(); }

double RandomStream::uniform() {
  // The binary exponent is geometric and the mantissa uniform, so every double in (0, 1) can occur with
  // the mass of its interval (down to 2^-1022).
  int exponent = 1;
  uint64_t word = next_u64();
  while (word >> 52 == 0 && exponent < 1000) {  // 12 leading zeros: very rare, look further
    exponent += 12;
    word = next_u64();
  }
  const int zeros = std::countl_zero(word >> 52) - 52;
  const uint64_t mantissa = word & ((uint64_t{1} << 52) - 1);
  return std::ldexp(1.0 + std::ldexp(static_cast<double>(mantissa), -52), -(exponent + std::min(zeros, 11)));
}

double RandomStream::gaussian() {
  // Box and Muller; the radius takes the fine end of the uniform, so the tails are true.
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double RandomStream::laplace() {
  const bool negative = (next_u32() & 1) != 0;
  const double magnitude = -std::log(uniform());
  return negative ? -magnitude : magnitude;
}

double RandomStream::gumbel() {
  // -log(E) with E exponential; E = -log1p(-u) is fine near zero, where the large values come from.
  return -std::log(-std::log1p(-uniform()));
}

bool RandomStream::bernoulli(double p) {
  require(p >= 0 && p <= 1, "probability is {}, want 0 to 1", p);
  return p == 1 || uniform() < p;
}

uint64_t RandomStream::below(uint64_t bound) {
  require(bound >= 1, "bound is 0, want at least 1");
  // Lemire's multiplication with rejection: exact for every bound.
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{next_u64()} * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = -bound % bound;
    while (static_cast<uint64_t>(product) < threshold) product = Wide{next_u64()} * bound;
  }
  return static_cast<uint64_t>(product >> 64);
}

int64_t RandomStream::binomial(int64_t trials, double p) {
  require(trials >= 0, "number of trials is {}, want at least 0", trials);
  require(p >= 0 && p <= 1, "probability is {}, want 0 to 1", p);
  if (p > 0.5) return trials - binomial(trials, 1 - p);
  if (p == 0) return 0;
  // Jump from success to success: the gap is geometric. Expected work trials * p.
  const double log_failure = std::log1p(-p);
  int64_t successes = 0;
  double position = 0;
  while (true) {
    position += 1 + std::floor(std::log(uniform()) / log_failure);
    if (position > static_cast<double>(trials)) return successes;
    ++successes;
  }
}

}  // namespace graphveil
