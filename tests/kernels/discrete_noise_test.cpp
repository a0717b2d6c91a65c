#include "graphveil/kernels/discrete_noise.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::discrete_noise_test {
namespace {

const Seed kSeed = Seed::from_number(12);

TEST(DiscreteNoise, SameNumbersForAnyThreadCountAndLength) {
  const Restore restore;
  std::vector<int64_t> want(100'001), other(100'001);
  set_thread_count(1);
  add_discrete_laplace(want, {7, 2}, {kSeed, "d", 3});
  set_thread_count(4);
  add_discrete_laplace(other, {7, 2}, {kSeed, "d", 3});
  EXPECT_EQ(want, other);
  std::vector<int64_t> shorter(40'000);
  add_discrete_laplace(shorter, {7, 2}, {kSeed, "d", 3});
  want.resize(40'000);
  EXPECT_EQ(shorter, want);
  std::vector<int64_t> renamed(40'000);
  add_discrete_laplace(renamed, {7, 2}, {kSeed, "d", 4});
  EXPECT_NE(renamed, want);
}

TEST(DiscreteNoise, IsAddedAndWraps) {
  std::vector<int64_t> noise(300), sum(300, INT64_MAX);
  add_discrete_gaussian(noise, {100, 1}, {kSeed, "w"});
  add_discrete_gaussian(sum, {100, 1}, {kSeed, "w"});
  for (size_t i = 0; i < noise.size(); ++i) {
    EXPECT_EQ(static_cast<uint64_t>(sum[i]), static_cast<uint64_t>(INT64_MAX) + static_cast<uint64_t>(noise[i]));
  }
}

// Equal ratios are equal distributions, down to the bits.
TEST(DiscreteNoise, RatiosNeedNotBeReduced) {
  std::vector<int64_t> a(1000), b(1000);
  add_discrete_laplace(a, {3, 2}, {kSeed, "r"});
  add_discrete_laplace(b, {3u << 20, 2u << 20}, {kSeed, "r"});
  EXPECT_EQ(a, b);
}

TEST(DiscreteNoise, DoublesAreExactRatios) {
  for (double x : {1.0, 0.75, 0.1, 3.3e-3, 12345.678, 0x1p53, 0x1.fffffffffffffp-10}) {
    const Rational r = exact_rational(x);
    EXPECT_EQ(r.denominator & (r.denominator - 1), 0u);
    EXPECT_EQ(std::ldexp(static_cast<double>(r.numerator), -std::ilogb(static_cast<double>(r.denominator))), x);
    EXPECT_LT(r.numerator, uint64_t{1} << 54);
  }
  EXPECT_THROW(exact_rational(0), Error);
  EXPECT_THROW(exact_rational(1e300), Error);
  EXPECT_THROW(exact_rational(std::nan("")), Error);
}

TEST(DiscreteNoise, Refusals) {
  std::vector<int64_t> some(3), none;
  EXPECT_THROW(add_discrete_laplace(some, {0, 1}, {kSeed, "e"}), Error);
  EXPECT_THROW(add_discrete_laplace(some, {1, 0}, {kSeed, "e"}), Error);
  EXPECT_THROW(add_discrete_laplace(some, {1, 65}, {kSeed, "e"}), Error);
  EXPECT_THROW(add_discrete_laplace(some, {8193, 1}, {kSeed, "e"}), Error);
  EXPECT_THROW(add_discrete_gaussian(some, {(1 << 26) + 1, 1}, {kSeed, "e"}), Error);
  add_discrete_laplace(none, {1, 1}, {kSeed, "e"});
}

}  // namespace
}  // namespace graphveil::kernels::discrete_noise_test
