#include "graphveil/nn/orthogonal.h"

#include <gtest/gtest.h>

namespace graphveil::nn::orthogonal_test {
namespace {

// The largest entry of W Wᵀ - I, or of WᵀW - I where columns are fewer.
double off(const Matrix& w) {
  const bool wide = w.rows() <= w.cols();
  const int64_t count = wide ? w.rows() : w.cols(), length = wide ? w.cols() : w.rows();
  double worst = 0;
  for (int64_t a = 0; a < count; ++a) {
    for (int64_t b = 0; b < count; ++b) {
      double product = a == b ? -1 : 0;
      for (int64_t i = 0; i < length; ++i) product += wide ? double{w(a, i)} * w(b, i) : double{w(i, a)} * w(i, b);
      worst = std::max(worst, std::abs(product));
    }
  }
  return worst;
}

TEST(FillOrthogonal, RowsOrColumnsAreAtRightAnglesAndOfNormOne) {
  for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{100, 128}, {128, 100}, {16, 16}, {1, 5}, {5, 1}}) {
    RandomStream random(Seed::from_number(3), "weights");
    Matrix w(rows, cols);
    fill_orthogonal(w, random);
    EXPECT_LT(off(w), 1e-6) << rows << " x " << cols;
  }
}

TEST(FillOrthogonal, AnotherStreamGivesOtherWeights) {
  RandomStream one(Seed::from_number(3), "weights"), two(Seed::from_number(4), "weights");
  Matrix a(4, 6), b(4, 6);
  fill_orthogonal(a, one);
  fill_orthogonal(b, two);
  EXPECT_GT(std::abs(a(0, 0) - b(0, 0)), 1e-6);
}

}  // namespace
}  // namespace graphveil::nn::orthogonal_test
