#include "graphveil/kernels/grid_transform.h"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"

namespace graphveil::kernels::grid_transform_test {
namespace {

constexpr NoiseKind kKinds[] = {NoiseKind::Gaussian, NoiseKind::Laplace, NoiseKind::Gumbel};

// Further words that are a plain function of the position.
class Repeatable : public FurtherWordSource {
 public:
  FurtherWords at(int64_t position) override {
    ++asked;
    const auto p = static_cast<uint64_t>(position + 1);
    return {.first = {p * 0x9E3779B97F4A7C15u, p * 0xC2B2AE3D27D4EB4Fu},
            .second = {p * 0x165667B19E3779F9u, p * 0x27D4EB2F165667C5u}};
  }
  Beyond beyond(int64_t) override { return ends; }
  int64_t asked = 0;
  Beyond ends;
};

// Words at both ends of the range, at every boundary the code has, and in between.
std::vector<uint64_t> awkward_words(size_t at_least) {
  std::vector<uint64_t> words;
  for (int bit = 0; bit < 64; ++bit) {
    for (uint64_t step = 0; step < 4; ++step) words.push_back((uint64_t{1} << bit) + step - 2);
    words.push_back(~(uint64_t{1} << bit));
  }
  for (uint64_t edge : {0xb504f333f9de6485u, 0xb504f333f9de6484u, 0x2000000000000000u, 0x6000000000000000u,
                        0xa000000000000000u, 0xe000000000000000u}) {
    for (uint64_t step = 0; step < 6; ++step) words.push_back(edge + step - 3);
  }
  RandomStream stream(Seed::from_number(3), "words");
  // Logarithmically even towards both ends.
  for (int i = 0; i < 512; ++i) words.push_back(stream.next_u64() >> (i % 30));
  for (int i = 0; i < 512; ++i) words.push_back(~(stream.next_u64() >> (i % 40)));
  while (words.size() % kGridChunk != 0 || words.size() < at_least) words.push_back(stream.next_u64());
  // Angles meet radii of every kind: repeat in another order.
  for (size_t i = 0, n = words.size(); i < n; ++i) words.push_back(words[(i * 13 + 5) % n]);
  return words;
}

std::vector<int64_t> exact(NoiseKind kind, const std::vector<uint64_t>& words, double scale, int64_t first) {
  Repeatable further;
  std::vector<int64_t> out(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const FurtherWords bits = further.at(first + static_cast<int64_t>(i));
    if (kind == NoiseKind::Laplace) out[i] = exact_laplace(words[i], bits, scale);
    if (kind == NoiseKind::Gumbel) out[i] = exact_gumbel(words[i], bits, scale);
    if (kind == NoiseKind::Gaussian && i % 16 < 8) {
      const GridPair pair = exact_gaussian(words[i], words[i + 8], bits, scale);
      out[i] = pair.cosine;
      out[i + 8] = pair.sine;
    }
  }
  return out;
}

// With a large scale a rounding boundary is never far, and what the doubles decide alone is right only because
// their errors keep below the margin.
TEST(GridTransformLevels, EveryLevelGivesTheExactNumbers) {
  const Restore restore;
  const std::vector<uint64_t> words = awkward_words(2500);
  for (double scale : {1.0, 4096.0, 65537.5, 0x1.8p30, 0x1.23456789p42, 0x1p44}) {
    for (NoiseKind kind : kKinds) {
      const std::vector<int64_t> want = exact(kind, words, scale, 64);
      for (CpuLevel level : available_levels()) {
        set_cpu_level(level);
        Repeatable further;
        std::vector<int64_t> out(words.size());
        grid_noise_from_words(kind, words, out, scale, 64, further);
        int64_t wrong = 0;
        for (size_t i = 0; i < words.size(); ++i) wrong += out[i] != want[i] ? 1 : 0;
        EXPECT_EQ(wrong, 0) << name(level) << ", kind " << static_cast<int>(kind) << ", scale " << scale;
        EXPECT_GT(further.asked, 0);
        // Apart from the ends of the range, which these words are full of, nearly all numbers are sure.
        EXPECT_LT(further.asked, static_cast<int64_t>(words.size())) << name(level) << " " << scale;
      }
    }
  }
}

// The long way itself against the formulas in double.
TEST(GridTransform, ExactNumbersFollowTheFormulas) {
  const std::vector<uint64_t> words = awkward_words(16);
  const double scale = 0x1p30;
  const auto minus_log = [](uint64_t w) {
    return w >> 63 != 0 ? -std::log1p(-std::ldexp(static_cast<double>(~w) + 0.5, -64))
                        : -std::log(std::ldexp(static_cast<double>(w) + 0.5, -64));
  };
  const std::vector<int64_t> gaussian = exact(NoiseKind::Gaussian, words, scale, 0);
  const std::vector<int64_t> laplace = exact(NoiseKind::Laplace, words, scale, 0);
  const std::vector<int64_t> gumbel = exact(NoiseKind::Gumbel, words, scale, 0);
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] < uint64_t{1} << 40 || ~words[i] < uint64_t{1} << 40) continue;  // too coarse for this
    const double sign = (words[i] & 1) != 0 ? -1 : 1;
    ASSERT_NEAR(static_cast<double>(laplace[i]), sign * scale * minus_log(words[i]), 600) << words[i];
    ASSERT_NEAR(static_cast<double>(gumbel[i]), -scale * std::log(minus_log(words[i])), 600) << words[i];
    if (i % 16 >= 8) continue;
    const double radius = scale * std::sqrt(2 * minus_log(words[i]));
    const double angle = 2 * std::numbers::pi * std::ldexp(static_cast<double>(words[i + 8]), -64);
    ASSERT_NEAR(static_cast<double>(gaussian[i]), radius * std::cos(angle), 100) << words[i];
    ASSERT_NEAR(static_cast<double>(gaussian[i + 8]), radius * std::sin(angle), 100) << words[i];
  }
}

// The least and greatest uniform numbers: far out, but finite.
TEST(GridTransform, ExtremesAreFinite) {
  const FurtherWords none, all{.first = {~uint64_t{0}, ~uint64_t{0}}, .second = {~uint64_t{0}, ~uint64_t{0}}};
  EXPECT_NEAR(static_cast<double>(exact_gaussian(0, 0, none, 0x1p40).cosine) / 0x1p40,
              std::sqrt(2 * 193 * std::numbers::ln2), 1e-9);
  EXPECT_EQ(exact_gaussian(~uint64_t{0}, 0, all, 0x1p45).cosine, 0);
  EXPECT_EQ(exact_laplace(~uint64_t{0}, all, 0x1p45), 0);
  EXPECT_NEAR(static_cast<double>(exact_laplace(0, none, 0x1p40)) / 0x1p40, 192 * std::numbers::ln2, 1e-9);
  EXPECT_NEAR(static_cast<double>(exact_gumbel(~uint64_t{0}, all, 0x1p40)) / 0x1p40, 193 * std::numbers::ln2, 1e-9);
  EXPECT_NEAR(static_cast<double>(exact_gumbel(0, none, 0x1p40)) / 0x1p40, -std::log(193 * std::numbers::ln2), 1e-9);
}

// At its end a uniform number is drawn anew, smaller by 2^-64 (or 2^-63): sizes have no largest one.
TEST(GridTransform, TailsHaveNoEnd) {
  constexpr double kLn2 = std::numbers::ln2, kScale = 5000;
  const uint64_t half = uint64_t{1} << 63;
  std::vector<uint64_t> words(kGridChunk, 0);
  std::vector<int64_t> out(kGridChunk);
  for (const uint64_t levels : {1u, 2u, 5u, 1000u}) {
    Repeatable further;
    further.ends = {.levels = levels, .word = half};  // u = 2^(-64 levels - 1)
    const double energy = (64 * static_cast<double>(levels) + 1) * kLn2;
    grid_noise_from_words(NoiseKind::Laplace, words, out, kScale, 0, further);
    EXPECT_EQ(out[3], std::llround(kScale * (energy - kLn2))) << "its word has 63 bits";
    grid_noise_from_words(NoiseKind::Gaussian, words, out, kScale, 0, further);
    EXPECT_EQ(out[3], std::llround(kScale * std::sqrt(2 * energy))) << "the angle is about 0";
    grid_noise_from_words(NoiseKind::Gumbel, words, out, kScale, 0, further);
    EXPECT_EQ(out[3], std::llround(-kScale * std::log(energy)));
    const std::vector<uint64_t> ones(kGridChunk, ~uint64_t{0});
    grid_noise_from_words(NoiseKind::Gumbel, ones, out, kScale, 0, further);
    EXPECT_EQ(out[3], std::llround(kScale * energy));
  }
  // The two ways to say where a number lies meet: the last cell before the end, and the first one beyond.
  const Beyond first{.levels = 1, .word = ~uint64_t{0}, .further = {~uint64_t{0}, ~uint64_t{0}}};
  const FurtherWords beyond{.beyond = first};
  for (const double scale : {100.0, 0x1p40}) {
    EXPECT_NEAR(static_cast<double>(exact_gumbel(1, {}, scale)), static_cast<double>(exact_gumbel(0, beyond, scale)),
                1);
    EXPECT_NEAR(static_cast<double>(exact_laplace(2, {}, scale)), static_cast<double>(exact_laplace(0, beyond, scale)),
                1);
    EXPECT_NEAR(static_cast<double>(exact_gaussian(1, 0, {}, scale).cosine),
                static_cast<double>(exact_gaussian(0, 0, beyond, scale).cosine), 1);
    EXPECT_NEAR(static_cast<double>(exact_gumbel(~uint64_t{1}, {.first = {~uint64_t{0}, ~uint64_t{0}}}, scale)),
                static_cast<double>(exact_gumbel(~uint64_t{0}, beyond, scale)), 1);
  }
}

}  // namespace
}  // namespace graphveil::kernels::grid_transform_test
