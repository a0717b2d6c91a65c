#include "graphveil/kernels/elementwise.h"

#include <gtest/gtest.h>

#include "tests/kernels/support.h"

namespace graphveil::kernels::elementwise_test {
namespace {

TEST(Elementwise, AllOperationsOnAwkwardShapes) {
  const int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {7, 13}, {40, 1001}};
  for (const auto& [rows, cols] : shapes) {
    for (int64_t padding : {0, 3}) {
      Framed x(rows, cols, padding, 1), y(rows, cols, padding, 2), sum(rows, cols, padding), difference(rows, cols),
          product(rows, cols), scaled(rows, cols, 1), total(rows, cols, padding), same(rows, cols, 2),
          constant(rows, cols, padding);
      randomize(x, 1);
      randomize(y, 2);
      add(x, y, sum);
      subtract(x, y, difference);
      multiply(x, y, product);
      scale(3, x, scaled);
      copy(y, total);
      axpy(-2, x, total);
      copy(x, same);
      fill(constant, 4);
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
          const Real a = x(r, c), b = y(r, c);
          ASSERT_EQ(sum(r, c), a + b);
          ASSERT_EQ(difference(r, c), a - b);
          ASSERT_EQ(product(r, c), a * b);
          ASSERT_EQ(scaled(r, c), 3 * a);
          ASSERT_NEAR(total(r, c), b - 2 * a, 1e-6);
          ASSERT_EQ(same(r, c), a);
          ASSERT_EQ(constant(r, c), 4);
        }
      }
      for (const Framed* f : {&sum, &difference, &product, &scaled, &total, &same, &constant}) {
        ASSERT_TRUE(f->frame_intact());
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::kernels::elementwise_test
