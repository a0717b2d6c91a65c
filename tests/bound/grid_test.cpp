#include "graphveil/bound/grid.h"

#include <limits>

#include <gtest/gtest.h>

namespace graphveil::bound::grid_test {
namespace {

TEST(Grid, StepsArePowersOfTwoNotAboveTheSizeAskedFor) {
  EXPECT_EQ(grid_step(1), 1);
  EXPECT_EQ(grid_step(0.99), 0.5);
  EXPECT_EQ(grid_step(3.9), 2);
  EXPECT_EQ(grid_step(1e-9), 0x1p-30);
  for (const double size : {1e-200, 0.3, 7.0, 1e200}) {
    EXPECT_TRUE(is_grid_step(grid_step(size)));
    EXPECT_LE(grid_step(size), size);
    EXPECT_GT(2 * grid_step(size), size);
  }
}

TEST(Grid, OtherNumbersAreNoSteps) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double step : {0.0, -1.0, 0.75, 3.0, std::nan(""), infinity}) EXPECT_FALSE(is_grid_step(step)) << step;
  for (const double size : {0.0, -1.0, std::nan(""), infinity, 1e-305}) EXPECT_THROW(grid_step(size), Error) << size;
}

}  // namespace
}  // namespace graphveil::bound::grid_test
