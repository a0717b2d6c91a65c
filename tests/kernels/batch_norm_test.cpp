#include "graphveil/kernels/batch_norm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::batch_norm_test {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols, double offset, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "batch norm test");
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(offset + random.gaussian());
  return m;
}

class BatchNormLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(BatchNormLevels, MomentsMatchThePlainLoop) {
  const Restore restore;
  set_cpu_level(GetParam());
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{1, 5}, {2, 1}, {7, 16}, {5000, 5}, {900, 43}}) {
    const Matrix x = random_matrix(rows, cols, 1000, 1);  // far from zero: squares of values would lose the variance
    std::vector<double> mean(static_cast<size_t>(cols)), variance(mean.size());
    column_moments(x, mean, variance);
    for (int64_t c = 0; c < cols; ++c) {
      double m = 0, v = 0;
      for (int64_t r = 0; r < rows; ++r) m += double{x(r, c)} / static_cast<double>(rows);
      for (int64_t r = 0; r < rows; ++r) v += std::pow(double{x(r, c)} - m, 2) / static_cast<double>(rows);
      EXPECT_NEAR(mean[c], m, 1e-9 * std::abs(m));
      EXPECT_NEAR(variance[c], v, 1e-7 * (v + 1e-6));
    }
  }
}

TEST_P(BatchNormLevels, ForwardAndBackwardMatchTheFormulas) {
  const Restore restore;
  set_cpu_level(GetParam());
  constexpr int64_t kRows = 300;
  for (const int64_t cols : {1, 3, 16, 43}) {
    const Matrix x = random_matrix(kRows, cols, 2, 2), g = random_matrix(kRows, cols, 0, 3);
    std::vector<Real> mean, inverse, gamma, beta;
    for (int64_t c = 0; c < cols; ++c) {
      const auto i = static_cast<Real>(c % 5);
      mean.push_back(1 + i);
      inverse.push_back(Real(0.5) + i / 4);
      gamma.push_back(i - 2);
      beta.push_back(Real(0.5) - i);
    }
    const BatchNormColumns columns{mean, inverse, gamma, beta};
    Matrix y(kRows, cols), dx(kRows, cols);
    batch_normalize(x, columns, std::nullopt, y);
    std::vector<Real> sum_g(mean.size()), sum_gz(mean.size());
    batch_norm_sums(g, x, columns, std::nullopt, sum_g, sum_gz);
    const Real share = Real{1} / kRows;
    batch_norm_backward(g, x, columns, sum_g, sum_gz, share, dx);
    for (int64_t c = 0; c < cols; ++c) {
      const auto z = [&](int64_t r) { return (double{x(r, c)} - double{mean[c]}) * double{inverse[c]}; };
      double plain_g = 0, plain_gz = 0;
      for (int64_t r = 0; r < kRows; ++r) {
        EXPECT_NEAR(y(r, c), gamma[c] * z(r) + beta[c], 1e-5);
        plain_g += g(r, c);
        plain_gz += double{g(r, c)} * z(r);
      }
      EXPECT_NEAR(sum_g[c], plain_g, 1e-4);
      EXPECT_NEAR(sum_gz[c], plain_gz, 1e-3);
      for (int64_t r = 0; r < kRows; ++r) {
        EXPECT_NEAR(dx(r, c), gamma[c] * inverse[c] * (g(r, c) - plain_g / kRows - z(r) * plain_gz / kRows), 1e-4);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BatchNormLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

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
}  // namespace graphveil::kernels::batch_norm_test
