#include "graphveil/bound/clipping.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace graphveil::bound {
namespace {

Matrix factors_of(const Clipping& clipping, std::initializer_list<Real> squared_norms) {
  Matrix squared(static_cast<int64_t>(squared_norms.size()) / clipping.groups(), clipping.groups());
  std::copy(squared_norms.begin(), squared_norms.end(), squared.values().begin());
  Matrix factors(squared.rows(), squared.cols());
  clip_factors(clipping, squared, factors);
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
  const Real inf = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
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
  EXPECT_TRUE(std::holds_alternative<account::NoSampling>(sampling_of({})));
  EXPECT_EQ(clipped_sum_sensitivity(c, {}), 0.5);
  EXPECT_EQ(clipped_sum_sensitivity(c, {.rate = 1, .deletions = 3, .insertions = 2}), 2.5)
      << "without sampling the whole group counts at once";
  EXPECT_EQ(std::get<account::Poisson>(sampling_of({.rate = 0.25})).rate, 0.25);
  const SampleDraw group{.rate = 0.25, .deletions = 3, .insertions = 2};
  EXPECT_EQ(std::get<account::PoissonGroup>(sampling_of(group)), (account::PoissonGroup{0.25, 3, 2}));
  EXPECT_EQ(clipped_sum_sensitivity(c, group), 0.5) << "with sampling the accountant prices the group";
  const auto sum = clipped_sum(Matrix(1, 3), c, group, Relation::Node);
  EXPECT_EQ(sum.sensitivity().amount, 0.5);
  EXPECT_EQ(sum.sensitivity().norm, Norm::L2);
  EXPECT_EQ(sum.sensitivity().relation, Relation::Node);
}

TEST(Clipping, RefusesNonsense) {
  EXPECT_THROW(check(Clipping{.max_norms = {}}), Error);
  EXPECT_THROW(check(Clipping{.max_norms = {0}}), Error);
  EXPECT_THROW(check(Clipping{.max_norms = {1, std::numeric_limits<double>::infinity()}}), Error);
  EXPECT_THROW(check(Clipping{.offset = 0}), Error);
  EXPECT_THROW(sampling_of({.rate = 0}), Error);
  EXPECT_THROW(sampling_of({.rate = 1.5}), Error);
  EXPECT_THROW(sampling_of({.rate = 0.5, .deletions = 0}), Error);
}

}  // namespace
}  // namespace graphveil::bound
