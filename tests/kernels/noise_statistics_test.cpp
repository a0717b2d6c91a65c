// The noise as a whole, with fixed seeds: each limit would be passed by one true generator in 10,000.
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/kernels/noise_fill.h"
#include "graphveil/kernels/noise_transform.h"
#include "tests/kernels/support.h"
#include "tests/reference/statistics.h"

namespace graphveil::kernels {
namespace {

using reference::kKolmogorovLimit;
using reference::kNormalLimit;
using reference::kolmogorov;

const Seed kSeed = Seed::from_number(20240602);

std::vector<double> values(const Matrix& m) { return {m.values().begin(), m.values().end()}; }

TEST(NoiseStatistics, WholeDistributions) {
  Matrix m(1, 1'000'000);
  fill_gaussian(m, 1, {kSeed, "gaussian"});
  EXPECT_LT(kolmogorov(values(m), reference::normal_cdf), kKolmogorovLimit);
  fill_laplace(m, 1, {kSeed, "laplace"});
  EXPECT_LT(kolmogorov(values(m), reference::laplace_cdf), kKolmogorovLimit);
  fill_gumbel(m, 1, {kSeed, "gumbel"});
  EXPECT_LT(kolmogorov(values(m), reference::gumbel_cdf), kKolmogorovLimit);
}

// The two numbers of a pair, and neighbors, share no linear or quadratic dependence.
TEST(NoiseStatistics, PairsAndNeighborsAreUncorrelated) {
  constexpr int64_t kCount = 1 << 20;
  Matrix m(1, kCount);
  fill_gaussian(m, 1, {kSeed, "pairs"});
  for (int64_t lag : {1, 16, 32}) {
    double product = 0, squares = 0;
    for (int64_t i = 0; i + lag < kCount; ++i) {
      const double a = m(0, i), b = m(0, i + lag);
      product += a * b;
      squares += (a * a - 1) * (b * b - 1);
    }
    EXPECT_LT(std::abs(product) / std::sqrt(kCount), kNormalLimit) << lag;
    EXPECT_LT(std::abs(squares) / (2 * std::sqrt(kCount)), kNormalLimit) << lag;
  }
}

// Plain counts as far out as 30 million numbers reach.
TEST(NoiseStatistics, TailsByCounting) {
  constexpr int64_t kRounds = 8, kCount = 1 << 22;
  int64_t beyond4 = 0, beyond5 = 0, laplace12 = 0, gumbel12 = 0;
  Matrix m(1, kCount);
  for (uint64_t round = 0; round < kRounds; ++round) {
    fill_gaussian(m, 1, {kSeed, "tails", round});
    for (Real v : m.values()) {
      beyond4 += std::abs(v) > 4 ? 1 : 0;
      beyond5 += std::abs(v) > 5 ? 1 : 0;
    }
    fill_laplace(m, 1, {kSeed, "laplace tails", round});
    for (Real v : m.values()) laplace12 += std::abs(v) > 12 ? 1 : 0;
    fill_gumbel(m, 1, {kSeed, "gumbel tails", round});
    for (Real v : m.values()) gumbel12 += v > 12 ? 1 : 0;
  }
  const double n = static_cast<double>(kRounds * kCount);
  EXPECT_LT(std::abs(reference::poisson_score(beyond4, n * std::erfc(4 / std::numbers::sqrt2))), kNormalLimit);
  EXPECT_LT(std::abs(reference::poisson_score(beyond5, n * std::erfc(5 / std::numbers::sqrt2))), 4.5);  // mean 19
  EXPECT_LT(std::abs(reference::poisson_score(laplace12, n * std::exp(-12.0))), kNormalLimit);
  EXPECT_LT(std::abs(reference::poisson_score(gumbel12, n * -std::expm1(-std::exp(-12.0)))), kNormalLimit);
}

class UniformBits : public FurtherBits {
 public:
  double uniform(int64_t) override { return stream_.uniform(); }

 private:
  RandomStream stream_{kSeed, "further"};
};

// Numbers beyond 6 sigma are too rare to wait for (2 in 10^9), so the rare event is brought about: radius words are
// drawn among those with `zeros` leading zero bits, which have probability 2^-zeros, and every count is weighted
// with that. A number beyond t sigma needs a radius beyond t, so no such number has another origin as long as
// exp(-t^2 / 2) < 2^-zeros.
int64_t count_beyond(double t, int zeros, int64_t pairs, std::vector<double>* radii = nullptr) {
  RandomStream stream(kSeed, "forced", static_cast<uint64_t>(zeros));
  UniformBits further;
  std::vector<uint32_t> words(kNoiseChunk);
  std::vector<float> out(kNoiseChunk);
  int64_t beyond = 0;
  for (int64_t done = 0; done < pairs; done += 16) {
    stream.fill({reinterpret_cast<uint8_t*>(words.data()), words.size() * 4});
    for (size_t i = 0; i < 16; ++i) words[i] = static_cast<uint32_t>(uint64_t{words[i]} >> zeros);
    noise_from_words(NoiseKind::Gaussian, words, out, 1.0, 0, further);
    for (float v : out) beyond += std::abs(v) > t ? 1 : 0;
    for (size_t i = 0; radii && i < 16; ++i) radii->push_back(std::hypot(out[i], out[i + 16]));
  }
  return beyond;
}

TEST(NoiseStatistics, BeyondSixSevenAndEightSigmaAtTheRightRate) {
  const struct {
    double t;
    int zeros;
    int64_t pairs;
  } cases[] = {{6, 24, 100'000}, {7, 32, 40'000}, {6, 12, 12'000'000 / 4}, {8, 32, 4'000'000}};
  for (const auto& c : cases) {
    ASSERT_LT(std::exp(-c.t * c.t / 2), std::ldexp(1.0, -c.zeros));
    const double rate = std::erfc(c.t / std::numbers::sqrt2) * std::ldexp(1.0, c.zeros);
    const double mean = 2.0 * static_cast<double>(c.pairs) * rate;
    ASSERT_GT(mean, 10) << "too few expected to judge";
    const int64_t seen = count_beyond(c.t, c.zeros, c.pairs);
    // The two numbers of a pair are not both beyond, so the count is nearly Poisson.
    EXPECT_LT(std::abs(reference::poisson_score(seen, mean)), 4.5) << c.t << " sigma: " << seen << " for " << mean;
  }
}

// Given `zeros` leading zeros, radius^2 / 2 - zeros ln 2 is again exponential: without a gap at the joint to the
// further bits, and past the 32 bits of the word.
TEST(NoiseStatistics, RareRadiiAreExponentialAgain) {
  for (int zeros : {12, 20, 31, 32}) {
    std::vector<double> radii, rest;
    count_beyond(9, zeros, 20'000, &radii);
    for (double r : radii) rest.push_back(r * r / 2 - zeros * std::numbers::ln2);
    EXPECT_LT(kolmogorov(rest, [](double x) { return x < 0 ? 0.0 : -std::expm1(-x); }), kKolmogorovLimit) << zeros;
  }
}

}  // namespace
}  // namespace graphveil::kernels
