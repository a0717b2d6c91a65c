#include "graphveil/base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::random_test {
namespace {

std::string hex(std::span<const uint8_t> bytes) {
  std::string text;
  for (uint8_t b : bytes) {
    for (int nibble : {b >> 4, b & 15}) text += "0123456789abcdef"[nibble];
  }
  return text;
}

std::vector<uint8_t> bytes_of(RandomStream& stream, size_t count) {
  std::vector<uint8_t> bytes(count);
  stream.fill(bytes);
  return bytes;
}

// NIST SP 800-38A, F.5.5 (CTR-AES256): plaintext xor ciphertext of its four blocks.
TEST(Random, CipherStreamMatchesThePublishedVectors) {
  const std::array<uint8_t, 32> key{0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae,
                                    0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61,
                                    0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4};
  RandomStream stream = RandomStream::from_key(key, 0xf0f1f2f3f4f5f6f7);
  stream.seek_block(0xf8f9fafbfcfdfeff);
  EXPECT_EQ(hex(bytes_of(stream, 64)),
            "0bdf7df1591716335e9a8b15c860c5025a6e699d536119065433863c8f657b94"
            "1bc12c9c01610d5d0d8bd6a3378eca622956e1c8693536b1bee99c73a31576b6");
}

// Computed apart with Python's hashlib and `openssl enc -aes-256-ctr`:
// key = SHA-256(SHA-256(be64(7) || "graphveil seed") || "known answer"), counter = be64(3) || be64(block).
TEST(Random, NamedStreamMatchesAnIndependentComputation) {
  RandomStream stream(Seed::from_number(7), "known answer", 3);
  EXPECT_EQ(hex(bytes_of(stream, 32)), "1d2c8527a92e88b4bbfffc306c73a8a0d07d5f6ffd7e35a038b526f957dfeeb4");
  stream.seek_block(1000);
  EXPECT_EQ(hex(bytes_of(stream, 16)), "a09253056f3f24f99577e1baaf591e8c");
  stream.seek(3);
  EXPECT_EQ(stream.next_u32(), 0x27852c1du);
  EXPECT_EQ(stream.next_u64(), 0x30fcffbbb4882ea9u);
}

TEST(Random, BytesDoNotDependOnHowTheyAreAskedFor) {
  const Seed seed = Seed::from_number(1);
  RandomStream whole(seed, "p"), parts(seed, "p");
  const std::vector<uint8_t> want = bytes_of(whole, 5000);
  std::vector<uint8_t> got;
  for (size_t step = 0; got.size() < want.size(); step = (step * 7 + 3) % 701) {
    const std::vector<uint8_t> some = bytes_of(parts, std::min(step, want.size() - got.size()));
    got.insert(got.end(), some.begin(), some.end());
  }
  EXPECT_EQ(want, got);
  parts.seek_block(100);
  EXPECT_EQ(bytes_of(parts, 64), std::vector<uint8_t>(want.begin() + 1600, want.begin() + 1664));
  parts.seek(0);
  (void)parts.next_u32();  // buffers ahead; the next bytes follow on
  EXPECT_EQ(bytes_of(parts, 3000), std::vector<uint8_t>(want.begin() + 4, want.begin() + 3004));
}

TEST(Random, NamesSeparateStreamsAndNoBlockRepeats) {
  std::set<std::string> blocks;
  size_t drawn = 0;
  for (uint64_t number : {0, 1}) {
    for (const char* purpose : {"", "a", "b", "ab"}) {
      for (uint64_t index : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{1} << 63}) {
        RandomStream stream(Seed::from_number(number), purpose, index);
        for (uint64_t block : {uint64_t{0}, uint64_t{1} << 63}) {
          stream.seek_block(block);
          for (int i = 0; i < 200; ++i, ++drawn) blocks.insert(hex(bytes_of(stream, 16)));
        }
      }
    }
  }
  EXPECT_EQ(blocks.size(), drawn);
}

TEST(Random, SeedsFromTheSystemDifferAndSayWhatTheyAre) {
  EXPECT_NE(Seed::from_system().bytes(), Seed::from_system().bytes());
  EXPECT_FALSE(Seed::from_system().reproducible());
  EXPECT_TRUE(Seed::from_number(1).reproducible());
  EXPECT_EQ(Seed::from_number(1).bytes(), Seed::from_number(1).bytes());
}

TEST(Random, EdgesOfTheDiscreteDistributions) {
  RandomStream stream(Seed::from_number(1), "edges");
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(stream.bernoulli(0));
    EXPECT_TRUE(stream.bernoulli(1));
    EXPECT_EQ(stream.below(1), 0u);
    EXPECT_EQ(stream.binomial(0, 0.3), 0);
    EXPECT_EQ(stream.binomial(50, 0), 0);
    EXPECT_EQ(stream.binomial(50, 1), 50);
    EXPECT_EQ(stream.binomial(1'000'000, 1e-300), 0);
    const int64_t many = stream.binomial(int64_t{1} << 53, 0.25);
    EXPECT_NEAR(static_cast<double>(many), 0x1p51, 6 * 0x1p26);
  }
  EXPECT_THROW(stream.bernoulli(-0.1), Error);
  EXPECT_THROW(stream.bernoulli(1.1), Error);
  EXPECT_THROW(stream.below(0), Error);
  EXPECT_THROW(stream.binomial(-1, 0.5), Error);
  EXPECT_THROW(stream.binomial(1, 2.0), Error);
}

TEST(Random, SamplesAndPermutationsHoldWhatTheyShould) {
  RandomStream stream(Seed::from_number(2), "samples");
  EXPECT_TRUE(stream.permutation(0).empty());
  std::vector<int32_t> order = stream.permutation(1000);
  std::sort(order.begin(), order.end());
  for (int32_t i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);

  EXPECT_TRUE(stream.sample_without_replacement(10, 0).empty());
  EXPECT_TRUE(stream.sample_without_replacement(0, 0).empty());
  for (int64_t k : {1, 50, 99, 100}) {
    const std::vector<int64_t> sample = stream.sample_without_replacement(100, k);
    EXPECT_EQ(static_cast<int64_t>(sample.size()), k);
    EXPECT_TRUE(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()) == sample.end());
    EXPECT_GE(sample.front(), 0);
    EXPECT_LT(sample.back(), 100);
  }
  const std::vector<int64_t> huge = stream.sample_without_replacement(int64_t{1} << 60, 5);  // memory by k alone
  EXPECT_EQ(huge.size(), 5u);
  EXPECT_THROW(stream.sample_without_replacement(3, 4), Error);
  EXPECT_THROW(stream.sample_without_replacement(3, -1), Error);

  EXPECT_TRUE(stream.poisson_sample(100, 0).empty());
  EXPECT_EQ(stream.poisson_sample(100, 1).size(), 100u);
  EXPECT_TRUE(stream.poisson_sample(0, 0.5).empty());
  EXPECT_THROW(stream.poisson_sample(3, 1.5), Error);
}

// Gaps beyond one decision, and rates that 1 - rate has no bits for.
TEST(Random, PoissonSampleOfManyAtTinyRates) {
  RandomStream stream(Seed::from_number(4), "tiny rates");
  constexpr int64_t kMany = int64_t{1} << 53;
  for (const double rate : {0x1p-43, 0x1p-46}) {
    const double mean = static_cast<double>(kMany) * rate;
    double seen = 0;
    for (int i = 0; i < 40; ++i) seen += static_cast<double>(stream.poisson_sample(kMany, rate).size());
    EXPECT_NEAR(seen, 40 * mean, 5 * std::sqrt(40 * mean));
  }
  int64_t seen = 0;
  for (int i = 0; i < 2000; ++i) seen += std::ssize(stream.poisson_sample(kMany, 0x1p-61));
  EXPECT_NEAR(static_cast<double>(seen), 2000 * 0x1p-8, 5 * std::sqrt(2000 * 0x1p-8));
  EXPECT_TRUE(stream.poisson_sample(kMany, 0x1p-300).empty());
}

}  // namespace
}  // namespace graphveil::random_test
