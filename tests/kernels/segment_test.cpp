#include "graphveil/kernels/segment.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"

namespace graphveil::kernels::segment_test {
namespace {

const std::vector<int64_t> kOffsets{0, 0, 3, 4, 4, 30};

TEST(Segment, SumAndMeanWithTheirGradients) {
  for (int64_t cols : {0, 1, 5, 16, 33}) {
    Framed x(30, cols, 2, 1), sums(5, cols, 1), means(5, cols, 3), g(5, cols, 2), dsum(30, cols, 1), dmean(30, cols);
    randomize(x, 1);
    randomize(g, 2);
    segment_sum(kOffsets, x, sums);
    segment_mean(kOffsets, x, means);
    segment_sum_backward(kOffsets, g, dsum);
    segment_mean_backward(kOffsets, g, dmean);
    for (int64_t s = 0; s < 5; ++s) {
      const int64_t count = kOffsets[s + 1] - kOffsets[s];
      for (int64_t c = 0; c < cols; ++c) {
        double want = 0;
        for (int64_t r = kOffsets[s]; r < kOffsets[s + 1]; ++r) {
          want += x(r, c);
          EXPECT_EQ(dsum(r, c), g(s, c));
          EXPECT_NEAR(dmean(r, c), g(s, c) / static_cast<double>(count), 1e-6);
        }
        EXPECT_NEAR(sums(s, c), want, 1e-5);
        EXPECT_NEAR(means(s, c), count > 0 ? want / static_cast<double>(count) : 0.0, 1e-6);
      }
    }
    EXPECT_TRUE(sums.frame_intact() && means.frame_intact() && dsum.frame_intact() && dmean.frame_intact());
  }
}

TEST(Segment, MaximumTakesTheFirstWinnerAndSendsItTheGradient) {
  Framed x(30, 3, 1), best(5, 3, 2), g(5, 3), dx(30, 3, 1);
  randomize(x, 1);
  randomize(g, 2);
  x(0, 1) = x(2, 1) = 77;  // a tie in segment 1
  std::vector<int64_t> arg(15);
  segment_max(kOffsets, x, best, arg);
  segment_max_backward(arg, g, dx);
  EXPECT_EQ(arg[1 * 3 + 1], 0);
  for (int64_t s = 0; s < 5; ++s) {
    for (int64_t c = 0; c < 3; ++c) {
      if (kOffsets[s] == kOffsets[s + 1]) {
        EXPECT_EQ(best(s, c), 0);
        EXPECT_EQ(arg[s * 3 + c], -1);
        continue;
      }
      Real want = x(kOffsets[s], c);
      for (int64_t r = kOffsets[s]; r < kOffsets[s + 1]; ++r) want = std::max(want, x(r, c));
      EXPECT_EQ(best(s, c), want);
      EXPECT_EQ(x(arg[s * 3 + c], c), want);
      for (int64_t r = kOffsets[s]; r < kOffsets[s + 1]; ++r) {
        EXPECT_EQ(dx(r, c), r == arg[s * 3 + c] ? g(s, c) : Real(0));
      }
    }
  }
}

TEST(Segment, NoSegments) {
  Matrix x(0, 3), out(0, 3);
  segment_sum(std::vector<int64_t>{0}, x, out);
  segment_mean(std::vector<int64_t>{0}, x, out);
  segment_max(std::vector<int64_t>{0}, x, out, {});
}

}  // namespace
}  // namespace graphveil::kernels::segment_test
