#include "graphveil/kernels/gemm.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/kernels/support.h"
#include "tests/threads.h"

namespace graphveil::kernels::gemm_test {
namespace {

struct Shape {
  int64_t m, n, k;
};

// Runs one product in all transposes and alpha, beta against the triple loop.
void check(const Shape& s) {
  for (Transpose ta : {Transpose::No, Transpose::Yes}) {
    for (Transpose tb : {Transpose::No, Transpose::Yes}) {
      const bool at = ta == Transpose::Yes, bt = tb == Transpose::Yes;
      Framed a(at ? s.k : s.m, at ? s.m : s.k, 3, 1), b(bt ? s.n : s.k, bt ? s.k : s.n, 2, 3);
      randomize(a, 1);
      randomize(b, 2);
      std::vector<double> sums(static_cast<size_t>(s.m * s.n), 0.0);
      for (int64_t i = 0; i < s.m; ++i) {
        for (int64_t j = 0; j < s.n; ++j) {
          for (int64_t k = 0; k < s.k; ++k) {
            sums[i * s.n + j] += static_cast<double>(at ? a(k, i) : a(i, k)) * (bt ? b(j, k) : b(k, j));
          }
        }
      }
      for (const auto& [alpha, beta] : {std::pair<Real, Real>{1, 0}, {-0.5f, 1}, {2, -0.25f}, {0, 2}}) {
        Framed c(s.m, s.n, 5, 2);
        randomize(c, 3);
        std::vector<double> want(sums.size());
        for (int64_t i = 0; i < s.m; ++i) {
          for (int64_t j = 0; j < s.n; ++j) {
            want[i * s.n + j] = alpha * sums[i * s.n + j] + beta * static_cast<double>(c(i, j));
            if (beta == 0) c(i, j) = std::numeric_limits<Real>::quiet_NaN();  // must not be read
          }
        }
        gemm(ta, tb, alpha, a, b, beta, c);
        const double tolerance = 1e-6 * (4 + std::sqrt(static_cast<double>(s.k))) * 4;
        for (int64_t i = 0; i < s.m; ++i) {
          for (int64_t j = 0; j < s.n; ++j) {
            ASSERT_NEAR(c(i, j), want[i * s.n + j], tolerance)
                << s.m << "x" << s.n << " depth " << s.k << " transposes " << at << bt << " at " << i << "," << j;
          }
        }
        ASSERT_TRUE(c.frame_intact());
      }
    }
  }
}

class GemmLevels : public testing::TestWithParam<CpuLevel> {};

TEST_P(GemmLevels, AgreeWithTheTripleLoop) {
  const Restore restore;
  set_cpu_level(GetParam());
  set_thread_count(1);
  for (const Shape& s : {Shape{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {5, 7, 11}, {33, 65, 17}}) check(s);
  for (int64_t n = 1; n <= 36; ++n) check({8 * n + n % 7, n, 19});  // the kernel for few columns, and past it
  for (const Shape& s : {Shape{70, 100, 40}, {9, 37, 300}, {64, 64, 512}}) check(s);  // several slabs of columns
  for (int64_t n = 1; n <= 36; n += 5) check({n % 9 + 1, n, 90});                     // few rows
  check({3, 2, 8192 + 77});                                                           // long sums in pieces
}

TEST_P(GemmLevels, ABiasIsAddedToEveryRow) {
  const Restore restore;
  set_cpu_level(GetParam());
  for (const Shape& s : {Shape{0, 3, 4}, {3, 4, 0}, {1, 1, 1}, {50, 16, 16}, {41, 33, 20}, {30, 300, 200}}) {
    Framed a(s.m, s.k, 3, 1), b(s.k, s.n, 2, 3), c(s.m, s.n, 5, 2);
    randomize(a, 1);
    randomize(b, 2);
    Matrix bias(1, s.n), want(s.m, s.n);
    randomize(bias, 4);
    matmul(a, b, want);
    linear(a, b, bias.row(0), c);
    for (int64_t i = 0; i < s.m; ++i) {
      for (int64_t j = 0; j < s.n; ++j) ASSERT_NEAR(c(i, j), want(i, j) + bias(0, j), 1e-5) << s.m << "x" << s.n;
    }
    ASSERT_TRUE(c.frame_intact());
  }
}

INSTANTIATE_TEST_SUITE_P(All, GemmLevels, testing::ValuesIn(available_levels()),
                         [](const auto& param) { return std::string(name(param.param)); });

TEST(Gemm, SameBitsForAnyThreadCount) {
  const Restore restore;
  for (const Shape& s : {Shape{500, 64, 100},
                         {5000, 16, 64},
                         {5000, 7, 33},
                         {64, 16, 20'000},
                         {100, 64, 9'000},
                         {256, 64, 500},
                         {64, 64, 5000},
                         {130, 130, 130},
                         {16, 500, 3000},
                         {1, 64, 4000},
                         {2000, 40, 64}}) {
    for (Transpose ta : {Transpose::No, Transpose::Yes}) {
      for (Transpose tb : {Transpose::No, Transpose::Yes}) {
        const bool at = ta == Transpose::Yes, bt = tb == Transpose::Yes;
        Matrix a(at ? s.k : s.m, at ? s.m : s.k), b(bt ? s.n : s.k, bt ? s.k : s.n);
        randomize(a, 1);
        randomize(b, 2);
        std::vector<std::vector<Real>> results;
        for (int threads : {1, 2, 3}) {
          set_thread_count(threads);
          Matrix c(s.m, s.n);
          gemm(ta, tb, 1, a, b, 0, c);
          results.emplace_back(c.values().begin(), c.values().end());
        }
        EXPECT_EQ(results[0], results[1]) << s.m << "x" << s.n << " depth " << s.k << " transposes " << at << bt;
        EXPECT_EQ(results[0], results[2]) << s.m << "x" << s.n << " depth " << s.k << " transposes " << at << bt;
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::kernels::gemm_test
