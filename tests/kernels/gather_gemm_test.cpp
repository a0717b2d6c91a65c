#include "graphveil/kernels/gather_gemm.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/base/parallel.h"
#include "graphveil/base/random.h"
#include "tests/threads.h"

namespace graphveil::kernels::gather_gemm_test {
namespace {

struct Case {
  Case(int64_t nodes, int64_t width, int64_t out, int64_t count) : x(nodes, width), w(width, out), g(count, out) {
    RandomStream random(Seed::from_number(1), "gather");
    for (Matrix* m : {&x, &w, &g}) {
      for (Real& value : m->values()) value = static_cast<Real>(random.gaussian());
    }
    for (int64_t i = 0; i < count; ++i)
      rows.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(nodes))));
  }
  Matrix x, w, g;
  std::vector<int32_t> rows;
};

TEST(GatherGemm, EqualsProductsOfCopiedRows) {
  for (const int64_t count : {0, 1, 511, 512, 513, 5000}) {
    const Case c(37, 9, 5, count);
    Matrix product(count, 5), sum(9, 5);
    for (Real& value : sum.values()) value = 1;
    const std::vector<Real> bias = {1, 2, 3, 4, 5};
    gather_matmul(c.x, c.rows, c.w, bias, product);
    gather_matmul_transposed(c.x, c.rows, c.g, sum, Into::Add);
    for (int64_t r = 0; r < count; ++r) {
      for (int64_t j = 0; j < 5; ++j) {
        double want = static_cast<double>(j + 1);
        for (int64_t k = 0; k < 9; ++k) want += double{c.x(c.rows[r], k)} * c.w(k, j);
        EXPECT_NEAR(product(r, j), want, 1e-4);
      }
    }
    for (int64_t k = 0; k < 9; ++k) {
      for (int64_t j = 0; j < 5; ++j) {
        double want = 1;
        for (int64_t r = 0; r < count; ++r) want += double{c.x(c.rows[r], k)} * c.g(r, j);
        EXPECT_NEAR(sum(k, j), want, 1e-2);
      }
    }
    gather_matmul_transposed(c.x, c.rows, c.g, sum);
    if (count == 0) {
      EXPECT_EQ(sum(0, 0), 0);
    }
  }
}

TEST(GatherGemm, SameBitsForAnyThreads) {
  const Case c(300, 16, 24, 9000);
  Matrix one(16, 24), two(16, 24);
  set_thread_count(1);
  gather_matmul_transposed(c.x, c.rows, c.g, one);
  set_thread_count(2);
  gather_matmul_transposed(c.x, c.rows, c.g, two);
  EXPECT_EQ(std::memcmp(one.data(), two.data(), sizeof(Real) * 16 * 24), 0);
}

}  // namespace
}  // namespace graphveil::kernels::gather_gemm_test
