#include "graphveil/kernels/noise_transform.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/reference/noise.h"

namespace graphveil::kernels {
namespace {

constexpr NoiseKind kKinds[] = {NoiseKind::Gaussian, NoiseKind::Laplace, NoiseKind::Gumbel};

// Further bits that are a plain function of the position.
class Repeatable : public FurtherBits {
 public:
  double uniform(int64_t position) override {
    ++asked;
    return (static_cast<double>(position * 2654435761 % 1000003) + 0.5) / 1000003;
  }
  int asked = 0;
};

// Words at both ends of the range, at every boundary the code has, and in between.
std::vector<uint32_t> awkward_words() {
  std::vector<uint32_t> words;
  for (uint32_t edge : {0u, 1u << 20, 0x40000000u, 0x80000000u, 0xB504F333u, 0xC0000000u, 0xFFF00000u, 0xE0000000u}) {
    for (uint32_t step = 0; step < 8; ++step) words.push_back(edge + step - 4);
  }
  for (int bit = 0; bit < 32; ++bit) words.push_back(1u << bit);
  for (int bit = 0; bit < 32; ++bit) words.push_back(~(1u << bit));
  RandomStream stream(Seed::from_number(3), "words");
  while (words.size() % kNoiseChunk != 0 || words.size() < 4096) words.push_back(stream.next_u32());
  // Angles meet radii of every kind: repeat in another order.
  for (size_t i = 0, n = words.size(); i < n; ++i) words.push_back(words[(i * 13 + 5) % n]);
  return words;
}

class NoiseLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(NoiseLevels, AgreeWithThePlainFormulas) {
  const Restore restore;
  set_cpu_level(GetParam());
  const std::vector<uint32_t> words = awkward_words();
  for (NoiseKind kind : kKinds) {
    Repeatable bits, same_bits;
    std::vector<float> out(words.size());
    noise_from_words(kind, words, out, 3.0, 64, bits);
    const std::vector<double> want = reference::noise(kind, words, 3.0, 64, same_bits);
    EXPECT_GT(bits.asked, 0);
    EXPECT_EQ(bits.asked, same_bits.asked);
    for (size_t i = 0; i < words.size(); ++i) {
      // Cosine and logarithm cross zero, so the last part of the error is absolute there.
      ASSERT_NEAR(out[i], want[i], 1e-6 * std::abs(want[i]) + 1.5e-6)
          << "kind " << static_cast<int>(kind) << " word " << words[i] << " at " << i;
    }
  }
}

// The smallest sizes keep their relative accuracy: no grid of 2^-24 near zero.
TEST_P(NoiseLevels, SmallLaplaceNumbersKeepTheirBits) {
  const Restore restore;
  set_cpu_level(GetParam());
  std::vector<uint32_t> words(kNoiseChunk);
  for (uint32_t i = 0; i < 32; ++i) words[i] = 0xFFFFFFFEu - 2 * i;
  std::vector<float> out(kNoiseChunk);
  Repeatable bits;
  noise_from_words(NoiseKind::Laplace, words, out, 1.0, 0, bits);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_NEAR(out[i], (i + 0.5) / 0x1p31, 1e-6 * (i + 0.5) / 0x1p31);
}

TEST_P(NoiseLevels, NothingIsInfinite) {
  const Restore restore;
  set_cpu_level(GetParam());
  struct Extreme : FurtherBits {
    explicit Extreme(double value_) : value(value_) {}
    double uniform(int64_t) override { return value; }
    double value;
  };
  for (uint32_t word : {0u, 1u, 0xFFFFFFFEu, 0xFFFFFFFFu}) {
    for (double fraction : {std::ldexp(0.5, -64), 1.0}) {  // the least, and the greatest after rounding
      for (NoiseKind kind : kKinds) {
        std::vector<uint32_t> words(kNoiseChunk, word);
        std::vector<float> out(kNoiseChunk);
        Extreme bits(fraction);
        noise_from_words(kind, words, out, 1.0, 0, bits);
        for (float v : out) {
          ASSERT_TRUE(std::isfinite(v)) << static_cast<int>(kind) << " " << word << " " << fraction;
          ASSERT_LT(std::abs(v), 70);  // 97 ln 2 at most
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NoiseLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

}  // namespace
}  // namespace graphveil::kernels
