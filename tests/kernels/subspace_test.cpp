#include "graphveil/kernels/subspace.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/kernels/gemm.h"
#include "graphveil/kernels/gram.h"
#include "graphveil/kernels/symmetric_eigen.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::subspace_test {
namespace {

LinearMap dense_map(const Matrix& a) {
  return {a.rows(), a.cols(), [&a](ConstMatrixView x, MatrixView out) { matmul(a, x, out); },
          [&a](ConstMatrixView x, MatrixView out) { gemm(Transpose::Yes, Transpose::No, 1, a, x, 0, out); }};
}

// rows x cols with singular values that fall like 1 / (k + 1).
Matrix falling(int64_t rows, int64_t cols) {
  const int64_t rank = std::min(rows, cols);
  Matrix u(rows, rank), v(cols, rank), a(rows, cols);
  randomize(u, 1);
  randomize(v, 2);
  orthonormalize_columns(u);
  orthonormalize_columns(v);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < rank; ++k) u(r, k) /= static_cast<Real>(k + 1);
  }
  gemm(Transpose::No, Transpose::Yes, 1, u, v, 0, a);
  return a;
}

TEST(Subspace, FindsTheLeadingSingularVectors) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{300, 90}, {90, 300}}) {
    const Matrix a = falling(rows, cols);
    const LeadingSubspace s = leading_subspace(dense_map(a), 10, Seed::from_number(1));
    ASSERT_EQ(s.vectors.cols(), 10);
    // The slow way: all eigenvectors of AᵀA.
    std::vector<double> squares(static_cast<size_t>(cols * cols)), all(squares.size());
    gram(a, {squares.data(), cols, cols});
    symmetric_eigen({squares.data(), cols, cols}, {all.data(), cols, cols});
    Matrix product(rows, 10);
    matmul(a, s.vectors, product);
    for (int64_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(s.singular_values[k], 1.0 / static_cast<double>(k + 1), 1e-4);
      double cosine = 0;
      for (int64_t i = 0; i < cols; ++i) cosine += s.vectors(i, k) * all[i * cols + k];
      EXPECT_NEAR(std::abs(cosine), 1, 1e-3) << k;
      for (int64_t r = 0; r < rows; ++r) EXPECT_NEAR(product(r, k), s.projected(r, k), 1e-5);
    }
  }
}

TEST(Subspace, SmallAndDeficientMatrices) {
  Matrix a(5, 3);  // of rank 1
  for (int64_t r = 0; r < 5; ++r) a(r, 1) = static_cast<Real>(r);
  const LeadingSubspace s = leading_subspace(dense_map(a), 128, Seed::from_number(1));
  ASSERT_EQ(s.singular_values.size(), 3u);
  EXPECT_NEAR(s.singular_values[0], std::sqrt(30.0), 1e-5);
  EXPECT_NEAR(s.singular_values[1], 0, 1e-5);
  EXPECT_NEAR(std::abs(s.vectors(1, 0)), 1, 1e-5);
  for (Real x : s.projected.values()) EXPECT_TRUE(std::isfinite(x));
  const Matrix zero(4, 4);
  for (double value : leading_subspace(dense_map(zero), 2, Seed::from_number(1)).singular_values) EXPECT_EQ(value, 0);
  EXPECT_THROW(leading_subspace(dense_map(zero), 0, Seed::from_number(1)), Error);
}

TEST(Subspace, SameBitsForAnyThreads) {
  const Restore restore;
  const Matrix a = falling(900, 200);
  set_thread_count(1);
  const LeadingSubspace one = leading_subspace(dense_map(a), 20, Seed::from_number(3));
  set_thread_count(3);
  const LeadingSubspace many = leading_subspace(dense_map(a), 20, Seed::from_number(3));
  EXPECT_EQ(one.singular_values, many.singular_values);
  EXPECT_EQ(std::memcmp(one.projected.data(), many.projected.data(),
                        static_cast<size_t>(one.projected.size()) * sizeof(Real)),
            0);
}

}  // namespace
}  // namespace graphveil::kernels::subspace_test
