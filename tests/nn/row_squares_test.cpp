#include "graphveil/nn/row_squares.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::nn::row_squares_test {
namespace {

TEST(RowSquares, AnyWidthAndAnyScale) {
  RandomStream random(Seed::from_number(1), "rows");
  for (const int64_t cols : {1, 63, 64, 5000, 40000}) {
    for (const double scale : {1e-40, 1e-25, 1.0, 1e12}) {
      Matrix x(2, cols);
      for (Real& v : x.values()) v = static_cast<Real>(scale * (1 + random.uniform()) / std::sqrt(double(cols)));
      std::vector<double> squares(2);
      row_squares(x, squares);
      for (int64_t r = 0; r < 2; ++r) {
        double want = 0;
        for (const Real v : x.row(r)) want += double{v} * v;
        EXPECT_NEAR(squares[static_cast<size_t>(r)], want, 1.7e-5 * want);
        EXPECT_NEAR(row_square(x.row(r)), want, 1.7e-5 * want);
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::nn::row_squares_test
