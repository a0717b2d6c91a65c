// Noise in whole numbers as a whole, with fixed seeds: each limit would be passed by one true generator in 10,000.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/kernels/discrete_noise.h"
#include "graphveil/kernels/grid_noise.h"
#include "graphveil/kernels/grid_transform.h"
#include "tests/kernels/support.h"
#include "tests/reference/statistics.h"

namespace graphveil::kernels::grid_statistics_test {
namespace {

using reference::kNormalLimit;

const Seed kSeed = Seed::from_number(20240603);

// Chi-square of the counts of whole numbers, with cells of `width` numbers between -reach and reach that are joined
// until 20 are expected, and one cell beyond on either side. below(x) is P(X < x) for x at a half-integer, accurate in
// both tails through mirrored(x) = P(X > x).
using Probability = std::function<double(double)>;
double score(const std::vector<int64_t>& numbers, int64_t width, int64_t reach, const Probability& below,
             const Probability& mirrored) {
  const double n = static_cast<double>(numbers.size());
  const auto mass = [&](double from, double to) {
    return from > 0 ? mirrored(from) - mirrored(to) : below(to) - below(from);
  };
  // The first number of each cell; the cell before the first one is open.
  std::vector<int64_t> edges{-reach};
  double joined = 0;
  for (int64_t edge = -reach + width; edge <= reach; edge += width) {
    joined += n * mass(static_cast<double>(edge - width) - 0.5, static_cast<double>(edge) - 0.5);
    if (joined < 20) continue;
    edges.push_back(edge);
    joined = 0;
  }
  std::vector<double> expected{n * below(static_cast<double>(edges[0]) - 0.5)};
  for (size_t i = 1; i < edges.size(); ++i) {
    expected.push_back(n * mass(static_cast<double>(edges[i - 1]) - 0.5, static_cast<double>(edges[i]) - 0.5));
  }
  expected.push_back(n * mirrored(static_cast<double>(edges.back()) - 0.5));
  std::vector<int64_t> counts(expected.size());
  for (int64_t x : numbers) ++counts[std::upper_bound(edges.begin(), edges.end(), x) - edges.begin()];
  // Open ends that hold too little join their neighbors.
  for (bool last : {false, true}) {
    while (expected.size() > 2 && (last ? expected.back() : expected.front()) < 20) {
      const size_t from = last ? expected.size() - 1 : 0, to = last ? from - 1 : 1;
      expected[to] += expected[from];
      counts[to] += counts[from];
      expected.erase(expected.begin() + static_cast<int64_t>(from));
      counts.erase(counts.begin() + static_cast<int64_t>(from));
    }
  }
  return reference::chi_square_score(counts, expected);
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }
double laplace_below(double z) { return z < 0 ? 0.5 * std::exp(z) : 1 - 0.5 * std::exp(-z); }
double gumbel_below(double z) { return std::exp(-std::exp(-z)); }
double gumbel_above(double z) { return -std::expm1(-std::exp(-z)); }

// Small scales show every single number and so the rounding itself; large ones the shape.
TEST(GridStatistics, BinMassesOfTheRoundedDistributions) {
  std::vector<int64_t> v(2'000'000);
  uint64_t index = 0;
  for (double s : {1.0, 2.5, 40.0, 4096.0, 0x1p20 + 0.3, 0x1p40}) {
    const auto width = static_cast<int64_t>(std::max(1.0, s / 8));
    const auto reach = static_cast<int64_t>(6 * s) / width * width + width;
    std::fill(v.begin(), v.end(), 0);
    // The largest scale needs many decisions by the long way: fewer numbers.
    std::span<int64_t> part(v.data(), s > 0x1p30 ? 20'000 : v.size());
    add_gaussian(part, s, {kSeed, "gaussian", ++index});
    EXPECT_LT(score(
                  {part.begin(), part.end()}, width, reach, [&](double x) { return normal_below(x / s); },
                  [&](double x) { return normal_below(-x / s); }),
              kNormalLimit)
        << s;
    std::fill(v.begin(), v.end(), 0);
    add_laplace(part, s, {kSeed, "laplace", ++index});
    EXPECT_LT(score(
                  {part.begin(), part.end()}, width, 2 * reach, [&](double x) { return laplace_below(x / s); },
                  [&](double x) { return laplace_below(-x / s); }),
              kNormalLimit)
        << s;
    fill_gumbel_grid(part, s, {kSeed, "gumbel", ++index});
    EXPECT_LT(score(
                  {part.begin(), part.end()}, width, 2 * reach, [&](double x) { return gumbel_below(x / s); },
                  [&](double x) { return gumbel_above(x / s); }),
              kNormalLimit)
        << s;
  }
}

// The last digits are even: no grid of coarser numbers shows, near zero or far out. (The first million numbers of this
// stream alone score 4.0; 200 other streams of a million score 0.02 on average with deviation 1.01, and 1.9 together.)
TEST(GridStatistics, LastDigitsAreUniform) {
  std::vector<int64_t> v(1 << 24);
  add_gaussian(v, 0x1p24, {kSeed, "digits"});
  for (double from : {0.0, 1.0, 3.0}) {
    std::vector<int64_t> counts(256);
    double all = 0;
    for (int64_t x : v) {
      if (std::abs(static_cast<double>(x)) < from * 0x1p24) continue;
      ++counts[x & 255];
      ++all;
    }
    EXPECT_LT(reference::chi_square_score(counts, std::vector<double>(256, all / 256)), kNormalLimit) << from;
  }
}

TEST(GridStatistics, MomentsPairsAndNeighbors) {
  constexpr size_t kCount = 1 << 20;
  constexpr double kScale = 0x1p20;
  std::vector<int64_t> v(kCount);
  add_gaussian(v, kScale, {kSeed, "pairs"});
  double mean = 0, square = 0, fourth = 0;
  for (int64_t x : v) {
    const double z = static_cast<double>(x) / kScale;
    mean += z;
    square += z * z - 1;
    fourth += z * z * z * z - 3;
  }
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_LT(std::abs(mean) / root, kNormalLimit);
  EXPECT_LT(std::abs(square) / (root * std::sqrt(2.0)), kNormalLimit);
  EXPECT_LT(std::abs(fourth) / (root * std::sqrt(96.0)), kNormalLimit);
  for (size_t lag : {1, 8, 16}) {  // 8: the two numbers of a pair
    double product = 0, squares = 0;
    for (size_t i = 0; i + lag < kCount; ++i) {
      const double a = static_cast<double>(v[i]) / kScale, b = static_cast<double>(v[i + lag]) / kScale;
      product += a * b;
      squares += (a * a - 1) * (b * b - 1);
    }
    EXPECT_LT(std::abs(product) / root, kNormalLimit) << lag;
    EXPECT_LT(std::abs(squares) / (2 * root), kNormalLimit) << lag;
  }
}

// Plain counts as far out as 16 million numbers reach.
TEST(GridStatistics, TailsByCounting) {
  constexpr double kScale = 4096;
  std::vector<int64_t> v(1 << 22);
  int64_t beyond4 = 0, beyond5 = 0;
  for (uint64_t round = 0; round < 4; ++round) {
    std::fill(v.begin(), v.end(), 0);
    add_gaussian(v, kScale, {kSeed, "tails", round});
    for (int64_t x : v) {
      beyond4 += std::abs(x) > 4 * 4096 ? 1 : 0;
      beyond5 += std::abs(x) > 5 * 4096 ? 1 : 0;
    }
  }
  const double n = 4.0 * (1 << 22);
  const auto rate = [&](double t) { return 2 * normal_below(-(t * kScale + 0.5) / kScale); };
  EXPECT_LT(std::abs(reference::poisson_score(beyond4, n * rate(4))), kNormalLimit);
  EXPECT_LT(std::abs(reference::poisson_score(beyond5, n * rate(5))), 4.5);  // mean 10
}

class UniformWords : public FurtherWordSource {
 public:
  FurtherWords at(int64_t) override {
    return {.first = {stream_.next_u64(), stream_.next_u64()}, .second = {stream_.next_u64(), stream_.next_u64()}};
  }
  Beyond beyond(int64_t) override { return {1, stream_.next_u64() | 1, {stream_.next_u64(), stream_.next_u64()}}; }

 private:
  RandomStream stream_{kSeed, "further"};
};

// Beyond 6 deviations the rare event is brought about: radius words are drawn among those with `zeros` leading zero
// bits, which have probability 2^-zeros, and the count is weighted with that. A number beyond t deviations has no
// other origin as long as exp(-t^2 / 2) < 2^-zeros.
TEST(GridStatistics, BeyondSixSevenAndEightDeviationsAtTheRightRate) {
  constexpr double kScale = 65536;
  const struct {
    double t;
    int zeros;
    int64_t pairs;
  } cases[] = {{5, 12, 400'000}, {6, 16, 400'000}, {6, 25, 30'000}, {7, 34, 30'000}, {8, 45, 30'000}};
  for (const auto& c : cases) {
    ASSERT_LT(std::exp(-c.t * c.t / 2), std::ldexp(1.0, -c.zeros));
    RandomStream stream(kSeed, "forced", static_cast<uint64_t>(c.zeros));
    UniformWords further;
    std::vector<uint64_t> words(kGridChunk);
    std::vector<int64_t> out(kGridChunk);
    int64_t beyond = 0;
    for (int64_t done = 0; done < c.pairs; done += 8) {
      stream.fill({reinterpret_cast<uint8_t*>(words.data()), words.size() * 8});
      for (size_t i = 0; i < 8; ++i) words[i] >>= c.zeros;
      grid_noise_from_words(NoiseKind::Gaussian, words, out, kScale, 0, further);
      for (int64_t x : out) beyond += std::abs(static_cast<double>(x)) > c.t * kScale ? 1 : 0;
    }
    const double rate = 2 * normal_below(-(c.t * kScale + 0.5) / kScale) * std::ldexp(1.0, c.zeros);
    const double mean = 2 * static_cast<double>(c.pairs) * rate;
    ASSERT_GT(mean, 10) << c.t << ": too few expected to judge";
    EXPECT_LT(std::abs(reference::poisson_score(beyond, mean)), 4.5) << c.t << ": " << beyond << " for " << mean;
  }
}

TEST(DiscreteStatistics, EveryNumberHasItsProbability) {
  std::vector<int64_t> v(2'000'000);
  uint64_t index = 0;
  for (Rational scale : {Rational{1, 4}, Rational{1, 1}, Rational{7, 3}, Rational{50, 1}, Rational{3000, 1}}) {
    const double a = std::exp(-1 / scale.value());
    const auto above = [&](double x) { return std::pow(a, std::ceil(x)) / (1 + a); };  // P(X >= ceil x), x > 0
    const auto below = [&](double x) { return x < 0 ? above(-x) : 1 - above(x); };
    std::fill(v.begin(), v.end(), 0);
    add_discrete_laplace(v, scale, {kSeed, "discrete laplace", ++index});
    const auto width = static_cast<int64_t>(std::max(1.0, scale.value() / 8));
    EXPECT_LT(score(v, width, 12 * static_cast<int64_t>(scale.value() + 1) / width * width + width, below,
                    [&](double x) { return below(-x); }),
              kNormalLimit)
        << scale.value();
  }
  for (Rational variance :
       {Rational{1, 5}, Rational{1, 1}, Rational{22, 3}, Rational{2500, 1}, Rational{9'000'000, 1}}) {
    const double deviation = std::sqrt(variance.value());
    const auto last = static_cast<int64_t>(12 * deviation + 12);
    std::vector<double> tail(static_cast<size_t>(last) + 2);  // unnormalized P(X >= k)
    for (int64_t k = last; k >= 0; --k) {
      tail[k] = tail[k + 1] + std::exp(-0.5 * static_cast<double>(k) * static_cast<double>(k) / variance.value());
    }
    const double all = 2 * tail[0] - 1;
    const auto above = [&](double x) { return tail[std::min(last + 1, static_cast<int64_t>(std::ceil(x)))] / all; };
    const auto below = [&](double x) { return x < 0 ? above(-x) : 1 - above(x); };
    std::fill(v.begin(), v.end(), 0);
    add_discrete_gaussian(v, variance, {kSeed, "discrete gaussian", ++index});
    const auto width = static_cast<int64_t>(std::max(1.0, deviation / 8));
    EXPECT_LT(score(v, width, 7 * static_cast<int64_t>(deviation + 1) / width * width + width, below,
                    [&](double x) { return below(-x); }),
              kNormalLimit)
        << variance.value();
  }
}

}  // namespace
}  // namespace graphveil::kernels::grid_statistics_test
