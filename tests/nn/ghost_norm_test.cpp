#include "graphveil/nn/ghost_norm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::nn::ghost_norm_test {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols, RandomStream& random, double scale = 1) {
  Matrix m(rows, cols);
  for (Real& v : m.values()) v = static_cast<Real>(scale * random.gaussian());
  return m;
}

// |sum of a_r (x) g_r|^2 of each sample, formed in double.
std::vector<double> outer_norms(const Matrix& a, const Matrix& g, const std::vector<int32_t>& owners, int64_t samples) {
  std::vector<double> norms;
  for (int64_t s = 0; s < samples; ++s) {
    double square = 0;
    for (int64_t i = 0; i < a.cols(); ++i) {
      for (int64_t j = 0; j < g.cols(); ++j) {
        double sum = 0;
        for (int64_t r = 0; r < a.rows(); ++r)
          sum += owners[static_cast<size_t>(r)] == s ? double{a(r, i)} * g(r, j) : 0;
        square += sum * sum;
      }
    }
    norms.push_back(std::sqrt(square));
  }
  return norms;
}

// One number per sample, as the functions under test fill them.
struct Norms {
  explicit Norms(int64_t samples) : squared(static_cast<size_t>(samples), 0.0), terms(squared) {}
  operator SampleNorms() { return {squared, terms}; }
  double norm(int64_t s) const { return std::sqrt(squared[static_cast<size_t>(s)]); }
  std::vector<double> squared, terms;
};

void expect_outer_norms(int64_t rows, int64_t k, int64_t n, const std::vector<int32_t>& owners, int64_t samples) {
  RandomStream random(Seed::from_number(8), "ghost");
  const Matrix a = random_matrix(rows, k, random), g = random_matrix(rows, n, random);
  SampleRows groups;
  groups.assign(owners, samples);
  Norms norms(samples);
  add_outer_norms(a, g, groups, norms);
  const std::vector<double> expected = outer_norms(a, g, owners, samples);
  for (int64_t s = 0; s < samples; ++s) {
    EXPECT_NEAR(norms.norm(s), expected[static_cast<size_t>(s)], 1e-5 * expected[static_cast<size_t>(s)]);
  }
}

TEST(GhostNorm, EveryShapeOfSample) {
  expect_outer_norms(4, 7, 3, {0, 1, 2, 3}, 4);                   // one row each
  expect_outer_norms(9, 40, 30, {0, 0, 0, 1, 1, 3, 3, 3, 3}, 4);  // few rows: Gram
  expect_outer_norms(9, 3, 2, {0, 0, 0, 0, 0, 0, 0, 1, 1}, 2);    // many rows: the product
  expect_outer_norms(9, 40, 30, {2, 0, 1, 0, 2, 1, 0, 0, 2}, 3);  // in any order
  expect_outer_norms(5, 40, 30, {1, 1, 1, 1, 1}, 3);              // samples without rows
}

TEST(GhostNorm, SparseEqualsDense) {
  RandomStream random(Seed::from_number(8), "ghost");
  Matrix a(6, 10);
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  for (int64_t r = 0; r < 6; ++r) {
    for (int64_t c = 0; c < 10; ++c) {
      if (!random.bernoulli(0.4)) continue;
      a(r, c) = static_cast<Real>(random.gaussian());
      indices.push_back(static_cast<int32_t>(c));
      values.push_back(a(r, c));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  const SparseView sparse{6, 10, offsets, indices, values};
  const Matrix g = random_matrix(6, 4, random), wide_g = random_matrix(6, 100, random);  // wide: by Gram matrices
  for (const std::vector<int32_t>& owners :
       {std::vector<int32_t>{0, 1, 2, 3, 4, 5}, {0, 0, 1, 1, 1, 5}, {3, 0, 3, 0, 0, 1}}) {
    for (const Matrix* gradients : {&g, &wide_g}) {
      SampleRows groups;
      groups.assign(owners, 6);
      Norms norms(6);
      add_outer_norms(sparse, std::nullopt, *gradients, groups, norms);
      const std::vector<double> expected = outer_norms(a, *gradients, owners, 6);
      for (int64_t s = 0; s < 6; ++s) EXPECT_NEAR(norms.norm(s), expected[static_cast<size_t>(s)], 1e-4);
    }
  }
  // Listed rows, with repeats.
  const std::vector<int32_t> list = {5, 5, 2, 0, 1, 2}, owners = {0, 0, 0, 1, 1, 1};
  Matrix listed(6, 10);
  for (int64_t r = 0; r < 6; ++r) std::copy_n(a.row(list[static_cast<size_t>(r)]).data(), 10, listed.row(r).data());
  SampleRows groups;
  groups.assign(owners, 2);
  Norms norms(2);
  add_outer_norms(sparse, std::span<const int32_t>(list), g, groups, norms);
  const std::vector<double> expected = outer_norms(listed, g, owners, 2);
  for (int64_t s = 0; s < 2; ++s) EXPECT_NEAR(norms.norm(s), expected[static_cast<size_t>(s)], 1e-4);
}

// Rows of G that are multiples of one vector, exactly, nearly or not quite, some of which cancel: the norm is close and
// never small by more than the clip's margin.
TEST(GhostNorm, SparseRowsAlongALine) {
  RandomStream random(Seed::from_number(8), "ghost");
  constexpr int64_t kRows = 6, kCols = 9;
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> indices;
  std::vector<Real> values;
  Matrix a(kRows, kCols);
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t c = 0; c < kCols; ++c) {
      if (!random.bernoulli(0.6)) continue;
      // Rows 4 and 5 are rows 0 and 1 once more.
      a(r, c) = r < 4 ? static_cast<Real>(random.gaussian()) : a(r - 4, c);
      indices.push_back(static_cast<int32_t>(c));
      values.push_back(a(r, c));
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  const SparseView sparse{kRows, kCols, offsets, indices, values};
  const std::vector<int32_t> owners = {0, 0, 1, 1, 0, 0};
  const Matrix line = random_matrix(1, 4, random), other = random_matrix(kRows, 4, random);
  SampleRows groups;
  groups.assign(owners, 2);
  for (const double apart : {0.0, 1e-7, 3e-6, 1e-4, 0.1}) {
    Matrix g(kRows, 4);
    for (int64_t r = 0; r < kRows; ++r) {
      const double factor = r < 4 ? 0.5 + static_cast<double>(r) : -0.99 * (0.5 + static_cast<double>(r - 4));
      for (int64_t j = 0; j < 4; ++j) g(r, j) = static_cast<Real>(factor * (line(0, j) + apart * other(r, j)));
    }
    Norms norms(2);
    add_outer_norms(sparse, std::nullopt, g, groups, norms);
    const std::vector<double> expected = outer_norms(a, g, owners, 2);
    for (int64_t s = 0; s < 2; ++s) {
      const double norm = norms.norm(s), want = expected[static_cast<size_t>(s)];
      EXPECT_GE(norm * (1 + 1e-4), want) << apart;
      EXPECT_NEAR(norm, want, 0.01 * want) << apart;
    }
  }
}

TEST(GhostNorm, SumsOfRows) {
  RandomStream random(Seed::from_number(8), "ghost");
  const Matrix c = random_matrix(5, 3, random);
  const std::vector<int32_t> owners = {0, 1, 0, 1, 1};
  SampleRows groups;
  groups.assign(owners, 2);
  Norms norms(2);
  add_sum_norms(c, groups, norms);
  double expected = 0;
  for (int64_t j = 0; j < 3; ++j) expected += std::pow(double{c(1, j)} + c(3, j) + c(4, j), 2);
  EXPECT_NEAR(norms.squared[1], expected, 1e-5 * expected);
}

// Rows that cancel: the true norm is far below the terms, and rounding must not make the result smaller than it.
TEST(GhostNorm, CancellationDoesNotHideAGradient) {
  RandomStream random(Seed::from_number(8), "ghost");
  for (const int64_t k : {3, 40}) {
    Matrix a = random_matrix(4, k, random, 1e3), g = random_matrix(4, k, random, 1e3);
    for (int64_t j = 0; j < k; ++j) {
      a(1, j) = a(0, j);
      g(1, j) = -g(0, j) * (1 + Real(1e-5));
      a(3, j) = a(2, j) * (1 + Real(1e-6));
      g(3, j) = -g(2, j);
    }
    const std::vector<int32_t> owners = {0, 0, 0, 0};
    SampleRows groups;
    groups.assign(owners, 1);
    Norms norms(1);
    add_outer_norms(a, g, groups, norms);
    const double expected = outer_norms(a, g, owners, 1)[0];
    EXPECT_GE(norms.norm(0) * (1 + 1e-4), expected);
    // The same rows as a sparse matrix, with values and all present.
    std::vector<int64_t> offsets;
    std::vector<int32_t> indices;
    for (int64_t r = 0; r <= 4; ++r) offsets.push_back(r * k);
    for (int64_t e = 0; e < 4 * k; ++e) indices.push_back(static_cast<int32_t>(e % k));
    Norms sparse(1);
    add_outer_norms(SparseView{4, k, offsets, indices, a.values()}, std::nullopt, g, groups, sparse);
    EXPECT_GE(sparse.norm(0) * (1 + 1e-4), expected);
    EXPECT_LE(sparse.norm(0), expected + 1e-4 * std::sqrt(sparse.terms[0]));
  }
}

TEST(GhostNorm, HugeRowsCountAsInfinite) {
  const std::vector<int32_t> owners = {0};
  SampleRows groups;
  groups.assign(owners, 1);
  Matrix a(1, 1), g(1, 1);
  Norms norms(1);
  a(0, 0) = Real(1e-30);  // its square underflows
  g(0, 0) = Real(1e18);
  add_outer_norms(a, g, groups, norms);
  EXPECT_FALSE(std::isfinite(norms.squared[0]));
}

}  // namespace
}  // namespace graphveil::nn::ghost_norm_test
