// Cryptographic randomness in named streams. AES-256 in counter mode makes the bits; a stream is named by
// (seed, purpose, index), so drawing from one never moves another and the number of threads does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace graphveil {

// 256 secret bits from which every stream of a run is derived.
class Seed {
 public:
  // Fresh bits from the operating system: the default for anything released.
  static Seed from_system();
  // The same bits for the same number: for reproducible runs, whose noise an adversary who knows the number
  // can subtract.
  static Seed from_number(uint64_t number);
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

  double uniform();                  // in (0, 1), never 0 or 1; 53 random bits and finer near 0
  double gaussian();                 // standard normal, tails true beyond 8 sigma
  double laplace();                  // density exp(-|x|) / 2
  double gumbel();                   // distribution function exp(-exp(-x))
  bool bernoulli(double p);          // p in [0, 1]
  uint64_t below(uint64_t bound);    // uniform in [0, bound), exact; bound >= 1
  int64_t binomial(int64_t trials, double p);  // exact

  // A uniform permutation in place.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace graphveil
