#include "graphveil/kernels/batch_norm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"

namespace graphveil::kernels {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols, double offset, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "batch norm test");
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(offset + random.gaussian());
  return m;
}

TEST(BatchNormKernels, MomentsMatchThePlainLoop) {
  for (int64_t rows : {1, 2, 7, 5000}) {
    const Matrix x = random_matrix(rows, 5, 1000, 1);  // far from zero: squares of values would lose the variance
    std::vector<double> mean(5), variance(5);
    column_moments(x, mean, variance);
    for (int64_t c = 0; c < 5; ++c) {
      double m = 0, v = 0;
      for (int64_t r = 0; r < rows; ++r) m += double{x(r, c)} / static_cast<double>(rows);
      for (int64_t r = 0; r < rows; ++r) v += std::pow(double{x(r, c)} - m, 2) / static_cast<double>(rows);
      EXPECT_NEAR(mean[c], m, 1e-9 * std::abs(m));
      EXPECT_NEAR(variance[c], v, 1e-7 * (v + 1e-6));
    }
  }
}

TEST(BatchNormKernels, ForwardAndBackwardMatchTheFormulas) {
  const Matrix x = random_matrix(300, 3, 2, 2), g = random_matrix(300, 3, 0, 3);
  const std::vector<Real> mean{1, 2, 3}, inverse{0.5f, 1, 2}, gamma{1, 2, 3}, beta{0.5f, 0, -1};
  const BatchNormColumns columns{mean, inverse, gamma, beta};
  Matrix z(300, 3), y(300, 3), dx(300, 3);
  batch_normalize(x, columns, y);
  std::vector<Real> sum_g(3), sum_gz(3);
  batch_norm_sums(g, x, columns, sum_g, sum_gz);
  const Real share = Real{1} / 300;
  batch_norm_backward(g, x, columns, sum_g, sum_gz, share, dx);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t r = 0; r < 300; ++r) z(r, c) = (x(r, c) - mean[c]) * inverse[c];
    double plain_g = 0, plain_gz = 0;
    for (int64_t r = 0; r < 300; ++r) {
      EXPECT_NEAR(y(r, c), gamma[c] * z(r, c) + beta[c], 1e-5);
      plain_g += g(r, c);
      plain_gz += double{g(r, c)} * double{z(r, c)};
    }
    EXPECT_NEAR(sum_g[c], plain_g, 1e-4);
    EXPECT_NEAR(sum_gz[c], plain_gz, 1e-3);
    for (int64_t r = 0; r < 300; ++r) {
      EXPECT_NEAR(dx(r, c), gamma[c] * inverse[c] * (g(r, c) - plain_g / 300 - z(r, c) * plain_gz / 300), 1e-4);
    }
  }
}

TEST(BatchNormKernels, SameBitsForAnyNumberOfThreads) {
  const Matrix x = random_matrix(100000, 7, 0, 4);
  std::vector<double> mean[2], variance[2];
  for (int threads : {1, 2}) {
    set_thread_count(threads);
    mean[threads - 1].resize(7);
    variance[threads - 1].resize(7);
    column_moments(x, mean[threads - 1], variance[threads - 1]);
  }
  EXPECT_EQ(mean[0], mean[1]);
  EXPECT_EQ(variance[0], variance[1]);
}

}  // namespace
}  // namespace graphveil::kernels
