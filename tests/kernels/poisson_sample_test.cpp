#include "graphveil/kernels/poisson_sample.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::poisson_sample_test {
namespace {

const Seed kSeed = Seed::from_number(13);

TEST(PoissonSample, EdgesAndRefusals) {
  EXPECT_TRUE(poisson_sample(0, 0.5, {kSeed, "p"}).empty());
  EXPECT_TRUE(poisson_sample(100'000, 0, {kSeed, "p"}).empty());
  EXPECT_EQ(poisson_sample(100'001, 1, {kSeed, "p"}).size(), 100'001u);
  EXPECT_THROW(poisson_sample(-1, 0.5, {kSeed, "p"}), Error);
  EXPECT_THROW(poisson_sample(1, 1.5, {kSeed, "p"}), Error);
  EXPECT_THROW(poisson_sample(1, std::nan(""), {kSeed, "p"}), Error);
}

// Each id by its own 32 bits: the sample is what a plain loop over the stream takes, the same however it is cut.
TEST(PoissonSample, ComparesEveryIdWithItsWord) {
  const Restore restore;
  constexpr int64_t kCount = 200'003;
  for (double rate : {0.001, 0.3, 0.9999}) {
    RandomStream stream(kSeed, "plain", 2);
    std::vector<int64_t> want;
    for (int64_t i = 0; i < kCount; ++i) {
      if (std::ldexp(static_cast<double>(stream.next_u32()), -32) < rate - 0x1p-32) want.push_back(i);
    }
    for (int threads : {1, 4}) {
      set_thread_count(threads);
      EXPECT_EQ(poisson_sample(kCount, rate, {kSeed, "plain", 2}), want);
    }
  }
}

TEST(PoissonSample, CountsFollowTheRate) {
  constexpr int64_t kCount = 4'000'000;
  for (double rate : {0.0003, 0.25, 0.7}) {
    const auto taken = static_cast<double>(poisson_sample(kCount, rate, {kSeed, "count"}).size());
    EXPECT_LT(std::abs(taken - kCount * rate), 4 * std::sqrt(kCount * rate * (1 - rate))) << rate;
  }
}

TEST(PoissonSample, AStretchIsThatOfTheWhole) {
  constexpr int64_t kCount = 200'000;
  for (const double rate : {0.0, 0.01, 0.5, 1.0}) {
    const std::vector<int64_t> whole = poisson_sample(kCount, rate, {kSeed, "stretch"});
    std::vector<int64_t> parts;
    const std::vector<int64_t> cuts{0, 1, 6, 6, 1000, 65'537, 65'538, 131'075, kCount};
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const std::vector<int64_t> part = poisson_sample(cuts[i], cuts[i + 1], rate, {kSeed, "stretch"});
      parts.insert(parts.end(), part.begin(), part.end());
    }
    EXPECT_EQ(parts, whole) << rate;
  }
  EXPECT_THROW(poisson_sample(5, 4, 0.5, {kSeed, "stretch"}), Error);
}

}  // namespace
}  // namespace graphveil::kernels::poisson_sample_test
