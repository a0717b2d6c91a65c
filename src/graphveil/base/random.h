// Cryptographic randomness in named streams. AES-256 in counter mode makes the bits; a stream is named by
// (seed, purpose, index), so drawing from one never moves another and the number of threads does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace graphveil {

// 256 secret bits from which every stream of a run is derived.
class Seed {
 public:
  Seed() = default;
  Seed(const Seed&) = default;
  Seed& operator=(const Seed&) = default;
  ~Seed();  // leaves nothing of it in memory
  // Fresh bits from the operating system: the default for anything released.
  static Seed from_system();
  // A seed with the same bits for the same number, for reproducible runs, whose noise an adversary who knows the number
  // can subtract.
  static Seed from_number(uint64_t number);
  // The seed that another one's bytes() and reproducible() described, say in a checkpoint.
  static Seed from_bytes(const std::array<uint8_t, 32>& bytes, bool reproducible);
  // Another seed for another part of a run: its streams share nothing with this one's.
  Seed derived(std::string_view part) const;

  bool reproducible() const { return reproducible_; }
  const std::array<uint8_t, 32>& bytes() const { return bytes_; }

 private:
  std::array<uint8_t, 32> bytes_{};
  bool reproducible_ = false;
};

// An endless sequence of uniform bits. The key is SHA-256(seed, purpose); `index` and a 64-bit block number
// make the counter, so streams with different names never share a block.
class RandomStream {
 public:
  RandomStream(const Seed& seed, std::string_view purpose, uint64_t index = 0);
  // A stream with a given AES key: lets the cipher be checked against published answers.
  static RandomStream from_key(const std::array<uint8_t, 32>& key, uint64_t index);
  ~RandomStream();
  RandomStream(RandomStream&&) noexcept;
  RandomStream& operator=(RandomStream&&) noexcept;

  // Goes to the start of stream `index` of the same purpose: much cheaper than a new object.
  void seek(uint64_t index);
  // Goes to 16-byte block `block` of the present stream.
  void seek_block(uint64_t block);
  // The next out.size() bytes.
  void fill(std::span<uint8_t> out);
  uint32_t next_u32();
  uint64_t next_u64();

  // A number in (0, 1), never 0 or 1; every double x from 2^-1000 on with the chance of [x, next double).
  double uniform();
  // Rounded doubles of the usual formulas: for initial weights and models, never for released noise, whose last bits
  // would tell what it was added to (kernels/grid_noise has that).
  double gaussian();  // standard normal, tails true beyond 8 sigma
  double laplace();   // density exp(-|x|) / 2
  double gumbel();    // distribution function exp(-exp(-x))
  // Exact, fit for privacy: no rounding has a part in them.
  bool bernoulli(double p);        // true with probability p itself, in [0, 1]; p = 0 or at least 2^-1000
  uint64_t below(uint64_t bound);  // uniform in [0, bound); bound >= 1
  // Successes in `trials` trials; trials in [0, 2^53], p in [0, 1]. Constant time for large trials * p. Decides with
  // doubles (relative error about 1e-12 in a probability): not for privacy.
  int64_t binomial(int64_t trials, double p);

  // A uniform permutation in place.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }
  // A uniform permutation of 0 .. n - 1; n in [0, 2^31).
  std::vector<int32_t> permutation(int64_t n);
  // A uniform set of k of the numbers 0 .. n - 1, rising; 0 <= k <= n. Memory O(k).
  std::vector<int64_t> sample_without_replacement(int64_t n, int64_t k);
  // Each of 0 .. n - 1 independently with probability `rate`, rising. Time and memory O(n * rate) for rates up to 1/2.
  // Every set is right to a factor within 2^-114 a draw: gaps are decided by doubles where their error cannot matter
  // and by 256-bit arithmetic elsewhere. (kernels/poisson_sample is faster from a rate of about 0.1 on.)
  std::vector<int64_t> poisson_sample(int64_t n, double rate);

 private:
  struct State;
  explicit RandomStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace graphveil
