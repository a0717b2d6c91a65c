#include "graphveil/kernels/conjugate_gradients.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/gemm.h"
#include "tests/kernels/support.h"

namespace graphveil::kernels::conjugate_gradients_test {
namespace {

LinearMap dense_map(const Matrix& a) {
  return {a.rows(), a.cols(), [&a](ConstMatrixView x, MatrixView out) { matmul(a, x, out); },
          [&a](ConstMatrixView x, MatrixView out) { gemm(Transpose::Yes, Transpose::No, 1, a, x, 0, out); }};
}

// (AᵀA + ridge I)⁻¹ Aᵀ y by Gauss and Jordan, in double.
std::vector<double> solved_slowly(const Matrix& a, const Matrix& y, int64_t column, double ridge) {
  const int64_t n = a.cols();
  std::vector<std::vector<double>> m(static_cast<size_t>(n), std::vector<double>(static_cast<size_t>(n + 1), 0.0));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t r = 0; r < a.rows(); ++r) {
      for (int64_t j = 0; j < n; ++j) m[i][j] += static_cast<double>(a(r, i)) * a(r, j);
      m[i][n] += static_cast<double>(a(r, i)) * y(r, column);
    }
    m[i][i] += ridge;
  }
  for (int64_t p = 0; p < n; ++p) {
    for (int64_t i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = m[i][p] / m[p][p];
      for (int64_t j = p; j <= n; ++j) m[i][j] -= factor * m[p][j];
    }
  }
  std::vector<double> x;
  for (int64_t i = 0; i < n; ++i) x.push_back(m[i][n] / m[i][i]);
  return x;
}

TEST(RidgeRegression, MatchesElimination) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{60, 20}, {15, 40}}) {
    Matrix a(rows, cols), y(rows, 3);
    randomize(a, 1);
    randomize(y, 2);
    for (int64_t r = 0; r < rows; ++r) y(r, 1) = 0;  // a column that is solved before it starts
    const Matrix w = ridge_regression(dense_map(a), y, {.ridge = 0.5, .tolerance = 1e-6});
    for (int64_t c = 0; c < 3; ++c) {
      const std::vector<double> want = solved_slowly(a, y, c, 0.5);
      for (int64_t i = 0; i < cols; ++i) EXPECT_NEAR(w(i, c), want[i], 1e-3 * (1 + std::abs(want[i])));
    }
  }
}

TEST(RidgeRegression, RefusesNoRidgeAndShapesThatDoNotFit) {
  const Matrix a(4, 2), y(4, 1), short_y(3, 1);
  EXPECT_THROW(ridge_regression(dense_map(a), y, {.ridge = 0}), Error);
  EXPECT_THROW(ridge_regression(dense_map(a), short_y, {}), Error);
}

}  // namespace
}  // namespace graphveil::kernels::conjugate_gradients_test
