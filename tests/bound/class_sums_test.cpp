#include "graphveil/bound/class_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"
#include "graphveil/graph/dataset.h"
#include "tests/mechanism/access.h"

namespace graphveil::bound::class_sums_test {
namespace {

constexpr double kStep = 0x1p-16;

mechanism::Seen sums_of(ConstMatrixView rows, std::span<const int32_t> labels, int32_t classes,
                        Relation relation = Relation::Node) {
  return mechanism::opened(class_sums(rows, labels, classes, relation, kStep), kStep);
}

Matrix random_rows(int64_t rows, int64_t cols, double scale, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "class sums test");
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(scale * random.gaussian());
  return m;
}

double distance(const mechanism::Seen& a, const mechanism::Seen& b) {
  double sum = 0;
  for (size_t i = 0; i < a.values.size(); ++i) sum += std::pow(a.values[i] - b.values[i], 2);
  return std::sqrt(sum);
}

TEST(ClassSums, MatchTheDefinition) {
  const int64_t n = 50, d = 6;
  const int32_t classes = 4;
  const Matrix rows = random_rows(n, d, 0.7, 1);
  std::vector<int32_t> labels;
  for (int64_t u = 0; u < n; ++u) labels.push_back(u % 7 == 0 ? graph::kUnlabeled : static_cast<int32_t>(u % classes));
  std::vector<double> want(static_cast<size_t>(d * classes));
  for (int64_t u = 0; u < n; ++u) {
    if (labels[u] == graph::kUnlabeled) continue;
    double norm = 0;
    for (Real x : rows.row(u)) norm += double{x} * x;
    const double scale = std::min(1.0, 1 / std::sqrt(norm));
    for (int64_t i = 0; i < d; ++i) {
      for (int32_t c = 0; c < classes; ++c) {
        want[i * classes + c] += scale * double{rows(u, i)} * ((labels[u] == c) - 1.0 / classes);
      }
    }
  }
  const mechanism::Seen sums = sums_of(rows, labels, classes);
  ASSERT_EQ(sums.values.size(), want.size());
  // Every record is rounded toward zero, by less than a step.
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(sums.values[i], want[i], n * kStep);
    EXPECT_EQ(sums.values[i] / kStep, std::nearbyint(sums.values[i] / kStep));
  }
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
      const double moved = distance(sums_of(rows, labels, classes), sums_of(blank, blank_labels, classes));
      EXPECT_LE(moved, sensitivity);
      largest = std::max(largest, moved / sensitivity);
      // A blank record without its features wiped is as blank.
      EXPECT_EQ(distance(sums_of(rows, blank_labels, classes), sums_of(blank, blank_labels, classes)), 0);
    }
    EXPECT_GT(largest, 0.999);
  }
}

// Many records that all point the same way: however large the sums, whole numbers add up without error.
TEST(ClassSums, LargeSumsAreExact) {
  const int64_t n = 300'000;
  Matrix rows(n, 2);
  for (int64_t u = 0; u < n; ++u) {
    rows(u, 0) = 0.6f;
    rows(u, 1) = 0.8f;
  }
  std::vector<int32_t> labels(static_cast<size_t>(n), 0);
  const mechanism::Seen all = sums_of(rows, labels, 2);
  for (int64_t u : {0, 1, 2, 3}) {
    labels[u] = graph::kUnlabeled;
    const double moved = distance(all, sums_of(rows, labels, 2));
    EXPECT_LE(moved, class_sums_sensitivity(2));
    EXPECT_GT(moved, 0.999 * class_sums_sensitivity(2));
    labels[u] = 0;
  }
}

TEST(ClassSums, ARowThatIsNotFiniteAddsNothing) {
  Matrix rows(2, 2);
  rows(0, 0) = std::numeric_limits<Real>::infinity();
  rows(1, 1) = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<int32_t> labels{0, 1};
  for (const double x : sums_of(rows, labels, 2).values) EXPECT_EQ(x, 0);
}

TEST(ClassSums, NodeAndRecordAreTheSame) {
  const Matrix rows = random_rows(30, 3, 1, 9);
  const std::vector<int32_t> labels(30, 1);
  EXPECT_EQ(distance(sums_of(rows, labels, 3, Relation::Node), sums_of(rows, labels, 3, Relation::Record)), 0);
  const auto bounded = class_sums(rows, labels, 3, Relation::Record, kStep);
  EXPECT_EQ(bounded.sensitivity().relation, Relation::Record);
  EXPECT_EQ(bounded.sensitivity().norm, Norm::L2);
}

TEST(ClassSums, RefusesWhatItCannotBound) {
  const Matrix rows(2, 3);
  const std::vector<int32_t> labels{0, 1}, outside{0, 2}, below{0, -2}, three{0, 1, 0};
  EXPECT_THROW(class_sums(rows, labels, 1, Relation::Node, kStep), Error);
  EXPECT_THROW(class_sums(rows, outside, 2, Relation::Node, kStep), Error);
  EXPECT_THROW(class_sums(rows, below, 2, Relation::Node, kStep), Error);
  EXPECT_THROW(class_sums(rows, three, 2, Relation::Node, kStep), Error);
  EXPECT_THROW(class_sums(rows, labels, 2, Relation::Node, 0.3), Error);
  EXPECT_THROW(class_sums(rows, labels, 2, Relation::Node, 0x1p-70), Error) << "more steps than 64 bits hold";
  EXPECT_THROW(class_sums(rows, labels, 2, Relation::Edge, kStep), Error);
  EXPECT_THROW(class_sums(rows, labels, 2, Relation::UndirectedEdge, kStep), Error);
}

}  // namespace
}  // namespace graphveil::bound::class_sums_test
