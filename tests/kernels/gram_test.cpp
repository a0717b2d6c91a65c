#include "graphveil/kernels/gram.h"

#include <cstring>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::gram_test {
namespace {

double naive_dot(ConstMatrixView x, int64_t i, ConstMatrixView y, int64_t j) {
  double sum = 0;
  for (int64_t r = 0; r < x.rows; ++r) sum += static_cast<double>(x(r, i)) * y(r, j);
  return sum;
}

TEST(Gram, MatchesTheDefinitionForEveryShape) {
  for (int64_t rows : {0, 1, 3, 255, 257, 5000}) {
    for (int64_t cols : {1, 2, 9}) {
      Framed x(rows, cols, 3, 1), y(rows, cols);
      randomize(x, 1);
      randomize(y, 2);
      std::vector<double> out(static_cast<size_t>(cols * cols), -1.0);
      gram(x, {out.data(), cols, cols});
      const std::vector<double> dots = column_dots(x, y);
      for (int64_t i = 0; i < cols; ++i) {
        EXPECT_NEAR(dots[i], naive_dot(x, i, y, i), 1e-9);
        for (int64_t j = 0; j < cols; ++j) EXPECT_NEAR(out[i * cols + j], naive_dot(x, i, x, j), 1e-9);
      }
    }
  }
}

TEST(Gram, OrthonormalColumnsSpanTheSameSpace) {
  Matrix x(700, 12);
  randomize(x, 3);
  // Nearly parallel columns: what one pass over the Gram matrix would leave skew.
  for (int64_t r = 0; r < x.rows(); ++r) x(r, 5) = x(r, 4) + 1e-4f * x(r, 5);
  const Matrix before = x.clone();
  EXPECT_EQ(orthonormalize_columns(x), 12);
  for (int64_t i = 0; i < 12; ++i) {
    for (int64_t j = 0; j <= i; ++j) EXPECT_NEAR(naive_dot(x, i, x, j), i == j, 1e-5);
  }
  // Every old column is the sum of its projections.
  for (int64_t c = 0; c < 12; ++c) {
    double left = naive_dot(before, c, before, c);
    for (int64_t k = 0; k <= c; ++k) {
      const double along = naive_dot(before, c, x, k);
      left -= along * along;
    }
    EXPECT_NEAR(left, 0, 1e-3);
  }
}

TEST(Gram, DependentColumnsBecomeZero) {
  Matrix x(300, 6);
  randomize(x, 4);
  for (int64_t r = 0; r < x.rows(); ++r) {
    x(r, 2) = 0;
    x(r, 4) = 2 * x(r, 0) - x(r, 1);
  }
  EXPECT_EQ(orthonormalize_columns(x), 4);
  for (int64_t c = 0; c < 6; ++c) EXPECT_NEAR(naive_dot(x, c, x, c), c != 2 && c != 4, 1e-5);
}

TEST(Gram, SameBitsForAnyThreads) {
  const Restore restore;
  Matrix x(3001, 20), y(3001, 20);
  randomize(x, 5);
  randomize(y, 5);
  set_thread_count(1);
  orthonormalize_columns(x);
  set_thread_count(3);
  orthonormalize_columns(y);
  EXPECT_EQ(std::memcmp(x.data(), y.data(), static_cast<size_t>(x.size()) * sizeof(Real)), 0);
}

}  // namespace
}  // namespace graphveil::kernels::gram_test
