#include "graphveil/bound/clipping.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "graphveil/mechanism/release.h"

namespace graphveil::bound::clipping_test {
namespace {

Matrix factors_of(const Clipping& clipping, std::vector<double> squared_norms) {
  const auto samples = static_cast<int64_t>(squared_norms.size()) / clipping.groups();
  Matrix factors(samples, clipping.groups());
  clip_factors(clipping, {squared_norms.data(), samples, clipping.groups()}, factors);
  return factors;
}

TEST(Clipping, ScalesDownWhatIsTooLongAndNothingElse) {
  const Matrix f = factors_of({.max_norms = {2}}, {0, 1, 16, 10000});
  EXPECT_EQ(f(0, 0), 1);
  EXPECT_EQ(f(1, 0), 1);
  EXPECT_NEAR(f(2, 0) * 4, 2, 2.1e-4);
  EXPECT_LE(f(2, 0) * 4, 2);
  EXPECT_LE(f(3, 0) * 100, 2);
}

TEST(Clipping, NormalizingIsBoundedToo) {
  const Matrix f = factors_of({.style = ClipStyle::Normalize, .max_norms = {2}, .offset = 0.01}, {0, 1e-4f, 1, 1e8f});
  EXPECT_NEAR(f(0, 0), 200, 0.1);
  EXPECT_NEAR(f(1, 0) * 0.01, 1, 1e-3);
  EXPECT_NEAR(f(2, 0), 2 / 1.01, 1e-3);
  EXPECT_LE(f(3, 0) * 1e4, 2);
}

TEST(Clipping, WhatIsNotFiniteGetsZeroInAllGroups) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix f = factors_of({.max_norms = {1, 1}}, {1, inf, nan, 1, 1, 1});
  for (int64_t l : {0, 1}) {
    EXPECT_EQ(f(0, l), 0);
    EXPECT_EQ(f(1, l), 0);
    EXPECT_GT(f(2, l), 0.99);
  }
}

TEST(Clipping, GroupsSaySqrtL) {
  EXPECT_EQ(clipped_norm({.max_norms = {3}}), 3);
  EXPECT_NEAR(clipped_norm({.max_norms = {3, 3, 3, 3}}), 6, 1e-12);
  EXPECT_NEAR(clipped_norm({.max_norms = {3, 4}}), 5, 1e-12);
}

TEST(Clipping, RelativeGroupsAreInUnitsOfTheirNorms) {
  const Clipping clipping{.max_norms = {4, 0.5}, .relative = true};
  EXPECT_NEAR(clipped_norm(clipping), std::sqrt(2), 1e-12);
  const Matrix f = factors_of(clipping, {64, 0.0625, 4, 25});
  EXPECT_NEAR(f(0, 0) * 8, 1, 2e-4);
  EXPECT_LE(f(0, 0) * 8, 1);
  EXPECT_NEAR(f(0, 1) * 0.25, 0.5, 1e-6);
  EXPECT_NEAR(f(1, 0) * 2, 0.5, 1e-6);
  EXPECT_LE(f(1, 1) * 5, 1);
}

TEST(Clipping, TheDrawDecidesSamplingAndAmount) {
  const Clipping c{.max_norms = {0.5}};
  const double longer = kRoundingInflation;
  EXPECT_TRUE(std::holds_alternative<account::NoSampling>(sampling_of({})));
  EXPECT_EQ(clipped_sum_sensitivity(c, {}), 0.5 * longer);
  EXPECT_EQ(clipped_sum_sensitivity(c, {.rate = 1, .deletions = 3, .insertions = 2}), 5 * (0.5 * longer))
      << "without sampling the whole group counts at once";
  EXPECT_EQ(std::get<account::Poisson>(sampling_of({.rate = 0.25})).rate, 0.25);
  const SampleDraw group{.rate = 0.25, .deletions = 3, .insertions = 2};
  EXPECT_EQ(std::get<account::PoissonGroup>(sampling_of(group)), (account::PoissonGroup{0.25, 3, 2}));
  EXPECT_EQ(clipped_sum_sensitivity(c, group), 0.5 * longer) << "with sampling the accountant prices the group";
  const auto sum = clipped_sum({1, 2, 3}, c, group, Relation::Node);
  EXPECT_EQ(sum.sensitivity().amount, 0.5 * longer);
  EXPECT_EQ(sum.sensitivity().norm, Norm::L2);
  EXPECT_EQ(sum.sensitivity().relation, Relation::Node);
}

TEST(Clipping, RoundingCountsALittle) {
  // Two float sums of a block, and half a step of the grid in each of 2^24 entries of either.
  EXPECT_EQ(kRoundingInflation, 1 + 0x1p-10 + 0x1p-14);
  EXPECT_EQ(kRoundingInflation, 1 + 2 * kBlockError + std::sqrt(static_cast<double>(kMaxEntries)) * kGridPerNorm);
  for (const double norm : {1e-12, 0.3, 1.0, 1.5, 1e12}) {
    const double grid = sum_grid({.max_norms = {norm}}, 0);
    EXPECT_LE(grid, norm * kGridPerNorm);
    EXPECT_GT(2 * grid, norm * kGridPerNorm);
    int exponent = 0;
    EXPECT_EQ(std::frexp(grid, &exponent), 0.5) << "a power of two";
    // As many samples as are allowed, all alike, stay below 2^53 steps.
    EXPECT_LT(static_cast<double>(kMaxSamples) * norm * (1 + 2 * kBlockError), 0x1p53 * grid);
  }
  EXPECT_EQ(sum_grid({.max_norms = {7, 0.1}, .relative = true}, 1), kGridPerNorm);
}

// The smallest of the groups' steps holds the others: whole numbers of them are whole numbers of it.
TEST(Clipping, ASumOfGroupsLiesOnTheFinestGrid) {
  const Clipping clipping{.max_norms = {4, 0.3}};
  const double fine = sum_grid(clipping, 1), coarse = sum_grid(clipping, 0);
  EXPECT_LT(fine, coarse);
  const mechanism::Plan plan{
      {account::Event("sum", account::Gaussian{2}), clipped_sum_bound(clipping, {}, source::Reach::OwnSample)}};
  auto release = mechanism::Release::open(Relation::Node, plan, {1e6, 1e-5}, Seed::from_number(1));
  const auto noisy = release.gaussian("sum", clipped_sum({3 * coarse, 5 * fine}, clipping, {}, Relation::Node)).value();
  for (const double x : noisy) EXPECT_EQ(x / fine, std::nearbyint(x / fine));
}

TEST(Clipping, RefusesMoreEntriesThanItsRoundingCovers) {
  const auto entries = static_cast<size_t>(kMaxEntries);
  EXPECT_NO_THROW(clipped_sum(std::vector<double>(entries), {}, {}, Relation::Node));
  EXPECT_THROW(clipped_sum(std::vector<double>(entries + 1), {}, {}, Relation::Node), Error);
}

TEST(Clipping, FactorsStayFinite) {
  const Matrix f = factors_of({.style = ClipStyle::Normalize, .max_norms = {1}, .offset = 1e-300}, {0, 1e-300});
  EXPECT_TRUE(std::isfinite(f(0, 0)));
  EXPECT_TRUE(std::isfinite(f(1, 0)));
}

TEST(Clipping, RefusesNonsense) {
  EXPECT_THROW(check(Clipping{.max_norms = {}}), Error);
  EXPECT_THROW(check(Clipping{.max_norms = {0}}), Error);
  EXPECT_THROW(check(Clipping{.max_norms = {1, std::numeric_limits<double>::infinity()}}), Error);
  EXPECT_THROW(check(Clipping{.max_norms = {1e-13}}), Error);
  EXPECT_THROW(check(Clipping{.offset = 0}), Error);
  EXPECT_THROW(sampling_of({.rate = 0}), Error);
  EXPECT_THROW(sampling_of({.rate = 1.5}), Error);
  EXPECT_THROW(sampling_of({.rate = 0.5, .deletions = 0}), Error);
}

}  // namespace
}  // namespace graphveil::bound::clipping_test
