#include "graphveil/bound/class_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "graphveil/mechanism/release.h"

namespace graphveil::bound {
namespace {

// What is inside a Bounded, by way of a release with next to no noise.
Matrix open(Bounded<Matrix> bounded) {
  constexpr double kTinyNoise = 1e-7;
  mechanism::Release release(bounded.sensitivity().relation, {{"test", account::Gaussian{kTinyNoise}}},
                             {.epsilon = std::numeric_limits<double>::infinity(), .delta = 1e-5}, Seed::from_number(1));
  return release.gaussian("test", std::move(bounded), kTinyNoise).value().clone();
}

Matrix random_rows(int64_t rows, int64_t cols, double scale, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "class sums test");
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(scale * random.gaussian());
  return m;
}

double distance(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (int64_t i = 0; i < a.size(); ++i) sum += std::pow(double{a.data()[i]} - double{b.data()[i]}, 2);
  return std::sqrt(sum);
}

TEST(ClassSums, MatchTheDefinition) {
  const int64_t n = 50, d = 6;
  const int32_t classes = 4;
  const Matrix rows = random_rows(n, d, 0.7, 1);
  std::vector<int32_t> labels;
  for (int64_t u = 0; u < n; ++u) labels.push_back(u % 7 == 0 ? graph::kUnlabeled : static_cast<int32_t>(u % classes));
  Matrix want(d, classes);
  for (int64_t u = 0; u < n; ++u) {
    if (labels[u] == graph::kUnlabeled) continue;
    double norm = 0;
    for (Real x : rows.row(u)) norm += double{x} * x;
    const double scale = std::min(1.0, 1 / std::sqrt(norm));
    for (int64_t i = 0; i < d; ++i) {
      for (int32_t c = 0; c < classes; ++c) {
        want(i, c) += static_cast<Real>(scale * rows(u, i) * ((labels[u] == c) - 1.0 / classes));
      }
    }
  }
  const Matrix sums = open(class_sums(rows, labels, classes));
  for (int64_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums.data()[i], want.data()[i], 1e-3);
}

// Neighbors: one record blank, whatever its features and label were. The distance never passes the stated
// sensitivity, and comes close to it.
TEST(ClassSums, NeighborsAreAtMostTheSensitivityApart) {
  for (int32_t classes : {2, 3, 10}) {
    double largest = 0;
    const double sensitivity = class_sums_sensitivity(classes);
    EXPECT_DOUBLE_EQ(sensitivity, std::sqrt(1 - 1.0 / classes));
    for (uint64_t trial = 0; trial < 40; ++trial) {
      const Matrix rows = random_rows(200, 8, trial % 2 ? 100 : 0.3, trial);
      std::vector<int32_t> labels;
      for (int64_t u = 0; u < 200; ++u) labels.push_back(static_cast<int32_t>((u * u) % classes));
      std::vector<int32_t> blank_labels = labels;
      Matrix blank = rows.clone();
      const auto u = static_cast<int64_t>(trial * 5);
      blank_labels[u] = graph::kUnlabeled;
      for (Real& x : blank.row(u)) x = 0;
      const double moved =
          distance(open(class_sums(rows, labels, classes)), open(class_sums(blank, blank_labels, classes)));
      EXPECT_LE(moved, sensitivity);
      largest = std::max(largest, moved / sensitivity);
      // A blank record without its features wiped is as blank.
      EXPECT_LE(distance(open(class_sums(rows, blank_labels, classes)), open(class_sums(blank, blank_labels, classes))),
                1e-5);
    }
    EXPECT_GT(largest, 0.999);
  }
}

// Many records that all point the same way: the sums are large, and rounding them to float is within the bound.
TEST(ClassSums, RoundingLargeSumsStaysWithinTheBound) {
  const int64_t n = 300'000;
  Matrix rows(n, 2);
  for (int64_t u = 0; u < n; ++u) {
    rows(u, 0) = 0.6f;
    rows(u, 1) = 0.8f;
  }
  std::vector<int32_t> labels(static_cast<size_t>(n), 0);
  const Matrix all = open(class_sums(rows, labels, 2));
  for (int64_t u : {0, 1, 2, 3}) {
    labels[u] = graph::kUnlabeled;
    EXPECT_LE(distance(all, open(class_sums(rows, labels, 2))), class_sums_sensitivity(2));
    labels[u] = 0;
  }
}

TEST(ClassSums, ARowThatIsNotFiniteAddsNothing) {
  Matrix rows(2, 2);
  rows(0, 0) = std::numeric_limits<Real>::infinity();
  rows(1, 1) = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<int32_t> labels{0, 1};
  const Matrix sums = open(class_sums(rows, labels, 2));
  for (Real x : sums.values()) EXPECT_NEAR(x, 0, 1e-5);
}

TEST(ClassSums, RefusesWhatItCannotBound) {
  const Matrix rows(2, 3);
  const std::vector<int32_t> labels{0, 1}, outside{0, 2}, below{0, -2}, three{0, 1, 0};
  EXPECT_THROW(class_sums(rows, labels, 1), Error);
  EXPECT_THROW(class_sums(rows, outside, 2), Error);
  EXPECT_THROW(class_sums(rows, below, 2), Error);
  EXPECT_THROW(class_sums(rows, three, 2), Error);
}

}  // namespace
}  // namespace graphveil::bound
