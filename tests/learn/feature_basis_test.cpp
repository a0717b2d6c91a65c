#include "graphveil/learn/feature_basis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::learn::feature_basis_test {
namespace {

Matrix random_rows(int64_t rows, int64_t cols, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "rows");
  Matrix m(rows, cols);
  for (Real& value : m.values()) value = static_cast<Real>(random.gaussian());
  return m;
}

double dot(std::span<const Real> a, std::span<const Real> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

// As wide as the features a basis only turns the rows: the products of unit rows stay, times s².
TEST(FeatureBasis, OfFullWidthIsARotationWithAScale) {
  const Matrix x = random_rows(30, 6, 1), other = random_rows(4, 6, 2);
  const FeatureBasis basis(graph::Features(x.clone()), 6, Seed::from_number(3));
  const Matrix y = basis(graph::Features(other.clone()));
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < 4; ++b) {
      const double cosine = dot(other.row(a), other.row(b)) /
                            std::sqrt(dot(other.row(a), other.row(a)) * dot(other.row(b), other.row(b)));
      EXPECT_NEAR(dot(y.row(a), y.row(b)), 6 * cosine, 1e-4);
    }
  }
}

// Rows that lie near a plane keep nearly all of their length in two dimensions, and the scale gives them norm sqrt(2).
TEST(FeatureBasis, KeepsTheLeadingDirections) {
  const Matrix plane = random_rows(2, 8, 4), place = random_rows(40, 2, 5), noise = random_rows(40, 8, 6);
  Matrix x(40, 8);
  for (int64_t r = 0; r < 40; ++r) {
    for (int64_t c = 0; c < 8; ++c) {
      x(r, c) = place(r, 0) * plane(0, c) + place(r, 1) * plane(1, c) + Real(0.001) * noise(r, c);
    }
  }
  const FeatureBasis basis(graph::Features(x.clone()), 2, Seed::from_number(3));
  const Matrix y = basis(graph::Features(x.clone()));
  for (int64_t r = 0; r < 40; ++r) EXPECT_NEAR(dot(y.row(r), y.row(r)), 2, 0.02);
}

TEST(FeatureBasis, IsAlwaysAsWideAsAsked) {
  const FeatureBasis basis(graph::Features(random_rows(5, 3, 1)), 7, Seed::from_number(3));
  const Matrix y = basis(graph::Features(random_rows(2, 3, 2)));
  ASSERT_EQ(y.cols(), 7);
  for (int64_t c = 3; c < 7; ++c) EXPECT_EQ(y(0, c), 0);
}

TEST(FeatureBasis, ARowDependsOnItsRecordAlone) {
  const FeatureBasis basis(graph::Features(random_rows(20, 5, 1)), 3, Seed::from_number(3));
  const Matrix records = random_rows(6, 5, 2);
  const Matrix all = basis(graph::Features(records.clone()));
  for (int64_t r = 0; r < 6; ++r) {
    Matrix one(1, 5);
    std::ranges::copy(records.row(r), one.row(0).begin());
    EXPECT_TRUE(std::ranges::equal(basis(graph::Features(std::move(one))).row(0), all.row(r)));
  }
}

TEST(FeatureBasis, LoadsWhatItSavedAndRefusesTheRest) {
  const FeatureBasis basis(graph::Features(random_rows(20, 5, 1)), 3, Seed::from_number(3));
  nn::State state;
  basis.save(state, "basis.");
  const graph::Features records(random_rows(6, 5, 2));
  EXPECT_TRUE(std::ranges::equal(FeatureBasis::loaded(state, "basis.")(records).values(), basis(records).values()));
  EXPECT_THROW(FeatureBasis::loaded(state, "other."), Error);
  Matrix broken(5, 3);
  broken(1, 1) = std::numeric_limits<Real>::infinity();
  state["basis.map"] = nn::to_tensor(broken);
  EXPECT_THROW(FeatureBasis::loaded(state, "basis."), Error);
  state["basis.map"] = nn::to_tensor(Matrix(0, 3));
  EXPECT_THROW(FeatureBasis::loaded(state, "basis."), Error);
}

TEST(FeatureBasis, RefusesWhatItCannotFit) {
  EXPECT_THROW(FeatureBasis(graph::Features(Matrix(3, 4)), 2, Seed::from_number(1)), Error) << "all zero";
  EXPECT_THROW(FeatureBasis(graph::Features(), 2, Seed::from_number(1)), Error);
  const FeatureBasis basis(graph::Features(random_rows(20, 5, 1)), 3, Seed::from_number(3));
  EXPECT_THROW(basis(graph::Features(random_rows(2, 4, 1))), Error) << "of another width";
}

}  // namespace
}  // namespace graphveil::learn::feature_basis_test
