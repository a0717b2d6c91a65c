#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "tests/mechanism/access.h"
#include "tests/threads.h"

namespace graphveil::mechanism::gaussian_test {
namespace {

using bound::GradientSum;
using bound::GridMatrix;
using bound::TestVoucher;

constexpr double kNoise = 3, kSensitivity = 0.5;
constexpr double kStddev = kNoise * kSensitivity;

Plan plan_of(int64_t count = 1) {
  return {{account::Event("sum", account::Gaussian{kNoise}, {}, count), bound::TestVoucher::bound(kSensitivity)}};
}

Release open(uint64_t seed, int64_t count = 1) {
  return Release::open(bound::Relation::Edge, plan_of(count), {10, 1e-5}, Seed::from_number(seed));
}

bound::Bounded<GridMatrix> matrix(int64_t rows, int64_t cols, int64_t steps, double step) {
  GridMatrix value{IntegerMatrix<int64_t>(rows, cols), step};
  for (int64_t& x : value.values.values()) x = steps;
  return TestVoucher::bounded(std::move(value), {.amount = kSensitivity, .relation = bound::Relation::Edge});
}

bound::Bounded<GradientSum> gradients(std::vector<double> values, double step) {
  return TestVoucher::bounded(GradientSum{std::move(values), step},
                              {.amount = kSensitivity, .relation = bound::Relation::Edge});
}

// Mean, variance and kurtosis of what was added; each within four of its own deviations.
template <typename Values>
void expect_gaussian(const Values& values, double center) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0, fourth = 0;
  for (const auto x : values) {
    const double noise = static_cast<double>(x) - center;
    sum += noise;
    squares += noise * noise;
    fourth += std::pow(noise / kStddev, 4);
  }
  EXPECT_LT(std::abs(sum / count), 4 * kStddev / std::sqrt(count));
  EXPECT_LT(std::abs(squares / count - kStddev * kStddev), 4 * kStddev * kStddev * std::sqrt(2 / count));
  EXPECT_LT(std::abs(fourth / count - 3), 4 * std::sqrt(96 / count));
}

template <typename Values>
void expect_whole_steps(const Values& values, double step) {
  for (const auto x : values) {
    const double steps = static_cast<double>(x) / step;
    ASSERT_EQ(steps, std::nearbyint(steps));
  }
}

TEST(GaussianMechanism, AddsNoiseOfTheStatedSizeInWholeSteps) {
  Release release = open(4);
  const double step = release.grid("sum");
  EXPECT_TRUE(bound::is_grid_step(step));
  EXPECT_LE(step, 0x1p-12 * kStddev);
  const Noisy<Matrix> noisy = release.gaussian("sum", matrix(400, 250, 70000, step));
  EXPECT_DOUBLE_EQ(noisy.noise_scale(), kStddev);
  expect_gaussian(noisy.value().values(), 70000 * step);
  expect_whole_steps(noisy.value().values(), step);
}

TEST(GaussianMechanism, AddsTheSameToGradientsOnTheirOwnGrid) {
  Release release = open(4);
  const double step = 0x1p-30;
  const Noisy<std::vector<double>> noisy =
      release.gaussian("sum", gradients(std::vector<double>(100'000, 12345 * step), step));
  EXPECT_DOUBLE_EQ(noisy.noise_scale(), kStddev);
  expect_gaussian(noisy.value(), 12345 * step);
  expect_whole_steps(noisy.value(), step);
}

// The noise is drawn without a look at the value: in whole steps the two differ by what went in, exactly.
TEST(GaussianMechanism, TheNoiseDoesNotDependOnTheValue) {
  Release a = open(7), b = open(7);
  const double step = a.grid("sum");
  const auto zero = a.gaussian("sum", matrix(20, 5, 0, step)), moved = b.gaussian("sum", matrix(20, 5, 997, step));
  for (int64_t i = 0; i < zero.value().size(); ++i) {
    const double gap = static_cast<double>(moved.value().data()[i]) - static_cast<double>(zero.value().data()[i]);
    EXPECT_EQ(gap, 997 * step);
  }
  Release c = open(7), d = open(7);
  const auto none = c.gaussian("sum", gradients(std::vector<double>(50), 0x1p-30));
  const auto some = d.gaussian("sum", gradients(std::vector<double>(50, -31 * 0x1p-30), 0x1p-30));
  for (size_t i = 0; i < 50; ++i) EXPECT_EQ(some.value()[i] - none.value()[i], -31 * 0x1p-30);
}

TEST(GaussianMechanism, EveryCallDrawsFreshNoiseAndASeedRepeatsIt) {
  const auto draw = [](uint64_t seed) {
    Release release = open(seed, 2);
    const double step = release.grid("sum");
    const auto once = release.gaussian("sum", matrix(1, 8, 0, step));
    const auto twice = release.gaussian("sum", matrix(1, 8, 0, step));
    EXPECT_NE(once.value()(0, 0), twice.value()(0, 0));
    return once.value()(0, 3);
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST(GaussianMechanism, IsTheSameForAnyNumberOfThreads) {
  const auto draw = [](int threads) {
    set_thread_count(threads);
    Release release = open(3);
    return release.gaussian("sum", gradients(std::vector<double>(100'000), 0x1p-30)).value();
  };
  const int before = thread_count();
  const std::vector<double> one = draw(1), two = draw(2);
  set_thread_count(before);
  EXPECT_EQ(one, two);
}

TEST(GaussianMechanism, WantsValuesOnItsGridAndAGaussianLine) {
  Release release = open(1);
  EXPECT_THROW(release.gaussian("sum", matrix(1, 1, 0, 2 * release.grid("sum"))), Error);
  Release laplace = Release::open(
      bound::Relation::Edge,
      {{account::Event("sum", account::DiscreteLaplace{kNoise}), bound::TestVoucher::bound(kSensitivity)}}, {10, 1e-5},
      Seed::from_number(1));
  EXPECT_THROW(laplace.gaussian("sum", matrix(1, 1, 0, laplace.grid("sum"))), Error);
}

// Rows that ranks have apart get the noise of their places in the whole: no two of them share any, and none gets
// another's.
TEST(GaussianMechanism, RowsOfARankGetTheNoiseOfTheirPlaces) {
  constexpr int64_t kRows = 50, kCols = 7;
  Release one = open(6);
  const double step = one.grid("sum");
  const Matrix whole = one.gaussian("sum", matrix(kRows, kCols, 5, step)).value().clone();
  for (const int64_t first : {0, 1, 16, 33}) {
    Release rank = open(6);
    GridMatrix part{IntegerMatrix<int64_t>(kRows - first, kCols), step, first};
    for (int64_t& x : part.values.values()) x = 5;
    const Noisy<Matrix> noisy = rank.gaussian(
        "sum", TestVoucher::bounded(std::move(part), {.amount = kSensitivity, .relation = bound::Relation::Edge}));
    EXPECT_TRUE(std::ranges::equal(noisy.value().values(), whole.values().subspan(static_cast<size_t>(first * kCols))));
  }
}

}  // namespace
}  // namespace graphveil::mechanism::gaussian_test
