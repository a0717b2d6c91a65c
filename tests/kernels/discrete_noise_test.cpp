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

// Ranks make the noise of their own rows: cut anywhere, the parts are those of the whole. At the smallest scale sizes
// beyond the table's last one, which are drawn apart, come often.
TEST(DiscreteNoise, PartsAreThoseOfTheWhole) {
  constexpr int64_t kCount = 70'001;
  for (const Rational scale : {Rational{1, 64}, Rational{7, 2}, Rational{8192, 1}}) {
    std::vector<int64_t> laplace(kCount, 7), gaussian(kCount, 7);
    add_discrete_laplace(laplace, scale, {kSeed, "parts", 3});
    add_discrete_gaussian(gaussian, scale, {kSeed, "parts", 4});
    for (const int64_t cut : {0, 1, 2, 1023, 32'768, 40'001, 70'001}) {
      std::vector<int64_t> parts(kCount, 7), others(kCount, 7);
      const auto head = [&](auto& all) { return std::span(all).first(static_cast<size_t>(cut)); };
      const auto tail = [&](auto& all) { return std::span(all).subspan(static_cast<size_t>(cut)); };
      add_discrete_laplace(head(parts), scale, {kSeed, "parts", 3});
      add_discrete_laplace(tail(parts), scale, {kSeed, "parts", 3}, cut);
      EXPECT_EQ(parts, laplace) << "cut at " << cut;
      add_discrete_gaussian(head(others), scale, {kSeed, "parts", 4});
      add_discrete_gaussian(tail(others), scale, {kSeed, "parts", 4}, cut);
      EXPECT_EQ(others, gaussian) << "cut at " << cut;
    }
  }
  std::vector<int64_t> few(3);
  EXPECT_THROW(add_discrete_laplace(few, {1, 1}, {kSeed, "parts"}, -1), Error);
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
