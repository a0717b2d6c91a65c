#include "graphveil/base/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_set>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "graphveil/base/error.h"
#include "graphveil/base/fixed_point.h"

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

Seed::~Seed() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

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

Seed Seed::from_bytes(const std::array<uint8_t, 32>& bytes, bool reproducible) {
  Seed seed;
  seed.bytes_ = bytes;
  seed.reproducible_ = reproducible;
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
    static constexpr std::array<uint8_t, 8192> kZeros{};
    while (bytes > 0) {
      const int step = static_cast<int>(std::min(bytes, kZeros.size()));
      int written = 0;
      if (EVP_EncryptUpdate(cipher.get(), out, &written, kZeros.data(), step) != 1 || written != step) {
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

RandomStream::RandomStream(std::unique_ptr<State> state) : state_(std::move(state)) {}

RandomStream::RandomStream(const Seed& seed, std::string_view purpose, uint64_t index)
    : RandomStream(from_key(sha256(seed.bytes(), purpose), index)) {}

RandomStream RandomStream::from_key(const std::array<uint8_t, 32>& key, uint64_t index) {
  auto state = std::make_unique<State>();
  const std::array<uint8_t, 16> zero{};
  if (!state->cipher ||
      EVP_EncryptInit_ex(state->cipher.get(), EVP_aes_256_ctr(), nullptr, key.data(), zero.data()) != 1) {
    fail(ErrorKind::Internal, "AES-256-CTR is not available");
  }
  RandomStream stream(std::move(state));
  stream.seek(index);
  return stream;
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
  // uniform() has the chance of the interval from it to the next double, and p is a double: the doubles below p have
  // the chance p together. The comparison is one of whole numbers (exponent and mantissa); nothing is rounded.
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

namespace {

// Number of failures before the first success, given ln(1 - p) < 0: floor(ln u / ln(1 - p)). May be infinite.
double geometric(RandomStream& stream, double log_failure) {
  return std::floor(std::log(stream.uniform()) / log_failure);
}

// The same with P(at least k) = (1 - p)^k to a factor within 2^-177 for (1 - p)^k >= 2^-42: where the errors of the
// doubles could move the floor, u gets 128 further bits and 256-bit arithmetic compares ln u with k ln(1 - p), which
// leaves open cells of 2^-180 relative.
class ExactGeometric {
 public:
  explicit ExactGeometric(double p) : p_(p), log_failure_(std::log1p(-p)) {}
  // Numbers above `limit`, at most 2^53, may come out as any number above it.
  double draw(RandomStream& stream, double limit) {
    const double u = stream.uniform(), ratio = std::log(u) / log_failure_;
    // u stands for a cell of 2^-52 relative; the logarithms and the division err by less than 4 units of 2^-53.
    const double margin = ratio * 0x1p-50 - 0x1p-50 / log_failure_;
    double low = std::floor(ratio - margin), high = std::floor(ratio + margin);
    if (low == high || low > limit) return low;
    if (log_failure_fixed_.is_zero()) log_failure_fixed_ = logarithm(Fixed(1) - Fixed::from_double(p_)).size;
    const uint64_t first = stream.next_u64();
    const Fixed below = Fixed::fraction(first, stream.next_u64()).shifted_right(std::min(52 - std::ilogb(u), 319));
    const Fixed log_u = logarithm(Fixed::from_double(u) + below + Fixed(1).shifted_right(Fixed::kFractionBits)).size;
    // The largest k in [low, high] with -ln u >= k (-ln(1 - p)); low itself qualifies, and 0 does always.
    low = std::max(low, 0.0);
    high = std::min(high, limit + 1);
    while (low < high) {
      const double middle = low + std::ceil((high - low) / 2);  // a sum of the two could be beyond 2^53
      if (log_failure_fixed_ * static_cast<uint64_t>(middle) <= log_u) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

 private:
  double p_, log_failure_;
  Fixed log_failure_fixed_;
};

// ln k! - ((k + 1/2) ln(k + 1) - (k + 1) + ln sqrt(2 pi)): the rest of Stirling's formula. Below 10 from ln k! itself.
double stirling_rest(double k) {
  if (k < 10) {
    double log_factorial = 0;
    for (int i = 2; i <= static_cast<int>(k); ++i) log_factorial += std::log(i);
    return log_factorial - ((k + 0.5) * std::log(k + 1) - (k + 1) + 0.5 * std::log(2 * std::numbers::pi));
  }
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Hörmann's transformed rejection (BTRS, 1993) for p <= 1/2 and trials * p >= 10: a proposal whose shape covers the
// binomial one, accepted with the exact ratio of the probabilities.
double binomial_by_rejection(RandomStream& stream, double n, double p) {
  const double q = 1 - p, odds = p / q, spread = std::sqrt(n * p * q);
  const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p, center = n * p + 0.5;
  const double sure = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * spread;
  const double mode = std::floor((n + 1) * p);
  while (true) {
    const double u = stream.uniform() - 0.5, v = stream.uniform();
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + center);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || k > n) continue;
    // ln of P(k) / P(mode); each term is small times large, so nothing cancels.
    const double log_ratio = (mode + 0.5) * std::log((mode + 1) / (odds * (n - mode + 1))) + stirling_rest(mode) +
                             stirling_rest(n - mode) + (n + 1) * std::log((n - mode + 1) / (n - k + 1)) +
                             (k + 0.5) * std::log(odds * (n - k + 1) / (k + 1)) - stirling_rest(k) -
                             stirling_rest(n - k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= log_ratio) return k;
  }
}

}  // namespace

int64_t RandomStream::binomial(int64_t trials, double p) {
  require(trials >= 0 && trials <= int64_t{1} << 53, "number of trials is {}, want 0 to 2^53", trials);
  require(p >= 0 && p <= 1, "probability is {}, want 0 to 1", p);
  if (p > 0.5) return trials - binomial(trials, 1 - p);
  const double n = static_cast<double>(trials);
  if (p == 0) return 0;
  if (n * p >= 10) return static_cast<int64_t>(binomial_by_rejection(*this, n, p));
  // Jump from success to success.
  const double log_failure = std::log1p(-p);
  int64_t successes = 0;
  for (double position = geometric(*this, log_failure); position < n; position += 1 + geometric(*this, log_failure)) {
    ++successes;
  }
  return successes;
}

std::vector<int32_t> RandomStream::permutation(int64_t n) {
  require(n >= 0 && n <= std::numeric_limits<int32_t>::max(), "length of permutation is {}, want 0 to 2^31 - 1", n);
  std::vector<int32_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order));
  return order;
}

std::vector<int64_t> RandomStream::sample_without_replacement(int64_t n, int64_t k) {
  require(k >= 0 && k <= n, "sample of {} out of {}, want 0 <= sample <= whole", k, n);
  // Floyd: for j = n - k .. n - 1 draw t in [0, j] and take t, or j when t is taken already. Every set of k is
  // equally likely.
  std::unordered_set<int64_t> taken;
  taken.reserve(static_cast<size_t>(k));
  for (int64_t j = n - k; j < n; ++j) {
    const auto t = static_cast<int64_t>(below(static_cast<uint64_t>(j) + 1));
    if (!taken.insert(t).second) taken.insert(j);
  }
  std::vector<int64_t> sample(taken.begin(), taken.end());
  std::sort(sample.begin(), sample.end());
  return sample;
}

std::vector<int64_t> RandomStream::poisson_sample(int64_t n, double rate) {
  require(n >= 0 && n <= int64_t{1} << 53, "population is {}, want 0 to 2^53", n);
  require(rate >= 0 && rate <= 1, "sampling rate is {}, want 0 to 1", rate);
  std::vector<int64_t> sample;
  if (rate == 0) return sample;
  if (rate > 0.5) {  // the gaps would be mostly empty
    for (int64_t i = 0; i < n; ++i) {
      if (bernoulli(rate)) sample.push_back(i);
    }
    return sample;
  }
  // A rate so small that 1 - rate has no bits for it is a larger one of which few are kept: that ratio is exact.
  const double drawn = std::max(rate, 0x1p-60), kept = rate / drawn;
  ExactGeometric gap(drawn);
  const double end = static_cast<double>(n);
  // A gap of `most` or more goes on with a new one: it has no memory. So no decision is about a chance below 2^-42.
  const double most = std::min(end, 1 + std::floor(28 / -std::log1p(-drawn)));
  for (double i = 0; i < end; ++i) {
    double step = gap.draw(*this, most);
    for (; step >= most && i < end; step = gap.draw(*this, most)) i += most;
    i += step;
    if (i < end && (kept == 1 || bernoulli(kept))) sample.push_back(static_cast<int64_t>(i));
  }
  return sample;
}

}  // namespace graphveil
