#include "graphveil/kernels/symmetric_eigen.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::kernels::symmetric_eigen_test {
namespace {

struct Decomposition {
  std::vector<double> values, vectors;
};

Decomposition decomposed(std::vector<double> a, int64_t n) {
  Decomposition d{{}, std::vector<double>(static_cast<size_t>(n * n))};
  d.values = symmetric_eigen({a.data(), n, n}, {d.vectors.data(), n, n});
  return d;
}

TEST(SymmetricEigen, PutsTheMatrixTogetherAgain) {
  RandomStream random(Seed::from_number(1), "eigen test");
  for (int64_t n : {0, 1, 2, 5, 33}) {
    std::vector<double> a(static_cast<size_t>(n * n));
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= i; ++j) a[i * n + j] = a[j * n + i] = random.gaussian();
    }
    const Decomposition d = decomposed(a, n);
    for (int64_t k = 1; k < n; ++k) EXPECT_LE(d.values[k], d.values[k - 1]);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        double product = 0, unit = 0;
        for (int64_t k = 0; k < n; ++k) {
          product += d.vectors[i * n + k] * d.values[k] * d.vectors[j * n + k];
          unit += d.vectors[k * n + i] * d.vectors[k * n + j];
        }
        EXPECT_NEAR(product, a[i * n + j], 1e-11);
        EXPECT_NEAR(unit, i == j, 1e-12);
      }
    }
  }
}

TEST(SymmetricEigen, KnowsThePath) {
  // The path of n nodes has the eigenvalues 2 cos(k pi / (n + 1)).
  const int64_t n = 10;
  std::vector<double> a(static_cast<size_t>(n * n), 0.0);
  for (int64_t i = 0; i + 1 < n; ++i) a[i * n + i + 1] = a[(i + 1) * n + i] = 1;
  const Decomposition d = decomposed(a, n);
  for (int64_t k = 0; k < n; ++k)
    EXPECT_NEAR(d.values[k], 2 * std::cos(static_cast<double>(k + 1) * std::numbers::pi / (n + 1.0)), 1e-12);
}

TEST(SymmetricEigen, EqualAndZeroEigenvalues) {
  EXPECT_EQ(decomposed({0, 0, 0, 0}, 2).values, (std::vector<double>{0, 0}));
  EXPECT_EQ(decomposed({3, 0, 0, 0, 3, 0, 0, 0, -1}, 3).values, (std::vector<double>{3, 3, -1}));
}

}  // namespace
}  // namespace graphveil::kernels::symmetric_eigen_test
