#include "graphveil/kernels/reduce.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::reduce_test {
namespace {

TEST(Reduce, AgreesWithPlainSums) {
  const int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {1, 17}, {5, 64}, {300, 77}, {40'000, 2}};
  for (const auto& [rows, cols] : shapes) {
    for (int64_t padding : {0, 3}) {
      Framed x(rows, cols, padding, 1), y(rows, cols, padding, 2);
      randomize(x, 1);
      randomize(y, 2);
      double total = 0, squares = 0, inner = 0, sizes = 1;
      std::vector<double> columns(static_cast<size_t>(cols), 0.0);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          total += x(r, c);
          squares += static_cast<double>(x(r, c)) * x(r, c);
          inner += static_cast<double>(x(r, c)) * y(r, c);
          sizes += std::abs(x(r, c));
          columns[c] += x(r, c);
        }
      }
      EXPECT_NEAR(sum(x.view()), total, 1e-12 * sizes);
      EXPECT_NEAR(sum_of_squares(x.view()), squares, 1e-12 * sizes);
      EXPECT_NEAR(dot(x.view(), y.view()), inner, 1e-12 * sizes);
      std::vector<Real> sums(static_cast<size_t>(cols), 5);
      column_sums(x, sums);
      for (int64_t c = 0; c < cols; ++c) EXPECT_NEAR(sums[c], columns[c], 1e-6 * sizes);
      column_sums(x, sums, Into::Add);
      for (int64_t c = 0; c < cols; ++c) EXPECT_NEAR(sums[c], 2 * columns[c], 1e-6 * sizes);
    }
  }
}

TEST(Reduce, SameBitsForAnyThreadCount) {
  const Restore restore;
  Framed x(5003, 37, 1);
  randomize(x, 1);
  Matrix flat(1, 123'457);
  randomize(flat, 2);
  std::vector<std::vector<double>> results;
  for (int threads : {1, 2, 3}) {
    set_thread_count(threads);
    std::vector<Real> columns(37);
    column_sums(x, columns);
    std::vector<double> all{sum(x.view()), sum_of_squares(x.view()), dot(x.view(), x.view()), sum(flat.values()),
                            sum_of_squares(flat.values())};
    all.insert(all.end(), columns.begin(), columns.end());
    results.push_back(all);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Reduce, LargestSizeAndFiniteness) {
  Framed x(3, 5, 2);
  randomize(x, 1);
  x(1, 3) = -9;
  EXPECT_EQ(max_abs(x), 9);
  EXPECT_TRUE(all_finite(x));
  EXPECT_EQ(max_abs(Matrix(0, 4)), 0);
  x(0, 4) = std::numeric_limits<Real>::infinity();
  EXPECT_FALSE(all_finite(x));
  for (int64_t r = 0; r < 3; ++r) {
    Framed y(3, 5, 2);
    y(r, 2) = std::numeric_limits<Real>::quiet_NaN();
    y(1, 4) = 100;
    EXPECT_TRUE(std::isnan(max_abs(y))) << "NaN in row " << r;
    EXPECT_FALSE(all_finite(y));
  }
}

}  // namespace
}  // namespace graphveil::kernels::reduce_test
