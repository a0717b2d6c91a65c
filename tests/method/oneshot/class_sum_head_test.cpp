#include "graphveil/method/oneshot/class_sum_head.h"

#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "graphveil/base/random.h"

namespace graphveil::method::class_sum_head_test {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  RandomStream random(Seed::from_number(seed), "head test");
  Matrix m(rows, cols);
  for (Real& x : m.values()) x = static_cast<Real>(random.gaussian());
  return m;
}

// The head fulfils (G² + a G + b σ² I) W = G B: multiplied out, no eigenvectors.
TEST(ClassSumHead, SolvesItsNormalEquations) {
  const int64_t d = 7, classes = 3;
  const Matrix rows = random_matrix(40, d, 1), sums = random_matrix(d, classes, 2);
  const ClassSumHeadOptions options{.records = 25, .label_ridge = 3, .noise_ridge = 11};
  const double sigma = 1.7;
  const Matrix head = class_sum_head(rows, sums, sigma, options);
  std::vector<std::vector<double>> g(d, std::vector<double>(d, 0.0));
  for (int64_t i = 0; i < d; ++i) {
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t v = 0; v < 40; ++v) g[i][j] += options.records / 40 * rows(v, i) * rows(v, j);
    }
  }
  for (int64_t c = 0; c < classes; ++c) {
    for (int64_t i = 0; i < d; ++i) {
      double left = options.noise_ridge * sigma * sigma * head(i, c), right = 0;
      for (int64_t j = 0; j < d; ++j) {
        left += options.label_ridge * g[i][j] * head(j, c);
        right += g[i][j] * sums(j, c);
        for (int64_t k = 0; k < d; ++k) left += g[i][k] * g[k][j] * head(j, c);
      }
      EXPECT_NEAR(left, right, 1e-3);
    }
  }
}

TEST(ClassSumHead, MuchNoiseLeavesNothingAndDeadDirectionsHaveNoWeight) {
  Matrix rows = random_matrix(30, 4, 3);
  for (int64_t v = 0; v < 30; ++v) rows(v, 2) = 0;
  const Matrix sums = random_matrix(4, 2, 4);
  const Matrix head = class_sum_head(rows, sums, 0, {.records = 30});
  for (int64_t c = 0; c < 2; ++c) EXPECT_EQ(head(2, c), 0);
  const Matrix drowned = class_sum_head(rows, sums, 1e6, {.records = 30});
  for (Real x : drowned.values()) EXPECT_NEAR(x, 0, 1e-9);
}

TEST(ClassSumHead, RefusesWhatDoesNotFit) {
  const Matrix rows(3, 4), sums(5, 2);
  EXPECT_THROW(class_sum_head(rows, sums, 1, {}), Error);
  EXPECT_THROW(class_sum_head(rows, Matrix(4, 2), 1, {.label_ridge = 0}), Error);
}

}  // namespace
}  // namespace graphveil::method::class_sum_head_test
