#include "graphveil/kernels/cholesky.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::kernels::cholesky_test {
namespace {

// x xᵀ of n random rows with `rank` columns.
std::vector<double> random_product(int64_t n, int64_t rank) {
  RandomStream random(Seed::from_number(1), "cholesky test", static_cast<uint64_t>(n * 100 + rank));
  std::vector<double> x(static_cast<size_t>(n * rank)), a(static_cast<size_t>(n * n), 0.0);
  for (double& v : x) v = random.gaussian();
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t k = 0; k < rank; ++k) a[i * n + j] += x[i * rank + k] * x[j * rank + k];
    }
  }
  return a;
}

TEST(Cholesky, TheFactorTimesItsTransposeIsTheMatrix) {
  for (int64_t n : {0, 1, 2, 7, 40}) {
    const std::vector<double> a = random_product(n, n + 3);
    std::vector<double> l = a;
    EXPECT_EQ(cholesky({l.data(), n, n}, 1e-14), n);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (int64_t k = 0; k <= j; ++k) sum += l[i * n + k] * l[j * n + k];
        EXPECT_NEAR(sum, a[i * n + j], 1e-10);
      }
      for (int64_t j = i + 1; j < n; ++j) EXPECT_EQ(l[i * n + j], a[i * n + j]);  // not written
    }
  }
}

TEST(Cholesky, DependentRowsAreZeroAndTheProductStillFits) {
  const int64_t n = 9, rank = 4;
  const std::vector<double> a = random_product(n, rank);
  std::vector<double> l = a;
  EXPECT_EQ(cholesky({l.data(), n, n}, 1e-10), rank);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(l[i * n + i] == 0, i >= rank);
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int64_t k = 0; k <= j; ++k) sum += l[i * n + k] * l[j * n + k];
      EXPECT_NEAR(sum, a[i * n + j], 1e-8);
    }
  }
  std::vector<double> zero(4, 0.0);
  EXPECT_EQ(cholesky({zero.data(), 2, 2}, 1e-10), 0);
}

}  // namespace
}  // namespace graphveil::kernels::cholesky_test
