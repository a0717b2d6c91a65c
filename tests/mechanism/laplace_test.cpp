#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "tests/mechanism/access.h"

namespace graphveil::mechanism::laplace_test {
namespace {

bound::Bounded<bound::GridMatrix> zeros(const Release& release, int64_t rows, int64_t cols, bound::Norm norm) {
  return bound::TestVoucher::bounded(bound::GridMatrix{IntegerMatrix<int64_t>(rows, cols), release.grid("values")},
                                     {.amount = 2, .norm = norm});
}

Release open(int64_t events, bound::Norm norm) {
  const Plan plan{{account::Event("values", account::Laplace{1.5}, {}, events), bound::TestVoucher::bound(2, norm)}};
  return Release::open(bound::Relation::Node, plan, {1e9, 0.5}, Seed::from_number(6));
}

TEST(LaplaceMechanism, AddsNoiseOfTheStatedScale) {
  constexpr int64_t kRows = 200, kColumns = 200;
  Release release = open(1, bound::Norm::L1);
  const Noisy<Matrix> noisy = release.laplace("values", zeros(release, kRows, kColumns, bound::Norm::L1));
  EXPECT_DOUBLE_EQ(noisy.noise_scale(), 3);
  double size = 0, squares = 0;
  for (const Real x : noisy.value().values()) {
    size += std::abs(x);
    squares += static_cast<double>(x) * x;
  }
  constexpr double kDraws = kRows * kColumns;
  EXPECT_NEAR(size / kDraws, 3, 4 * 3 / std::sqrt(kDraws));                        // E|x| = b, sd b
  EXPECT_NEAR(squares / kDraws, 18, 4 * std::sqrt(20.0) * 9 / std::sqrt(kDraws));  // E x^2 = 2 b^2, sd sqrt(20) b^2
}

// Bounded entry by entry, each is an event of its own.
TEST(LaplaceMechanism, ChargesEveryEntryOfAnEntrywiseBound) {
  Release release = open(6, bound::Norm::LInf);
  release.laplace("values", zeros(release, 2, 3, bound::Norm::LInf));
  EXPECT_TRUE(release.complete());
  EXPECT_THROW(release.laplace("values", zeros(release, 1, 1, bound::Norm::LInf)), Error);
}

TEST(LaplaceMechanism, WantsAnL1Bound) {
  Release release = open(1, bound::Norm::L2);
  EXPECT_THROW(release.laplace("values", zeros(release, 1, 1, bound::Norm::L2)), Error);
  EXPECT_TRUE(release.spent().empty());
}

// Two ranks would draw the same noise for rows of their own.
TEST(LaplaceMechanism, PartsOfAMatrixAreRefused) {
  Release release = open(1, bound::Norm::L1);
  bound::GridMatrix part{IntegerMatrix<int64_t>(2, 2), release.grid("values"), 5, true};
  EXPECT_THROW(
      release.laplace("values", bound::TestVoucher::bounded(std::move(part), {.amount = 2, .norm = bound::Norm::L1})),
      Error);
}

}  // namespace
}  // namespace graphveil::mechanism::laplace_test
