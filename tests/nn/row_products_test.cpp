#include "graphveil/nn/row_products.h"

#include <cstring>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::nn::row_products_test {
namespace {

TEST(RowProducts, ARowIsTheSameBitsWhereverItLies) {
  RandomStream random(Seed::from_number(1), "rows");
  for (const auto& [depth, cols] : {std::pair<int64_t, int64_t>{3, 1}, {64, 16}, {100, 17}, {501, 40}, {33, 100}}) {
    for (const auto transpose : {kernels::Transpose::No, kernels::Transpose::Yes}) {
      const bool plain = transpose == kernels::Transpose::No;
      Matrix a(300, depth), b(plain ? depth : cols, plain ? cols : depth), whole(300, cols), want(300, cols);
      for (Real& v : a.values()) v = static_cast<Real>(random.gaussian());
      for (Real& v : b.values()) v = static_cast<Real>(random.gaussian());
      multiply_rows(a, transpose, b, whole);
      kernels::gemm(kernels::Transpose::No, transpose, 1, a, b, 0, want);
      for (int64_t i = 0; i < want.size(); ++i) ASSERT_NEAR(whole.data()[i], want.data()[i], 1e-3);
      for (const int64_t begin : {0, 1, 7, 150}) {
        for (const int64_t count : {1, 2, 5, 12, 49, 150}) {
          Matrix part(count, cols);
          multiply_rows(a.view().rows_at(begin, count), transpose, b, part);
          ASSERT_EQ(std::memcmp(part.data(), whole.row(begin).data(), static_cast<size_t>(part.size()) * sizeof(Real)),
                    0);
          multiply_rows(a.view().rows_at(begin, count), transpose, b, part, kernels::Into::Add);
          for (int64_t c = 0; c < cols; ++c) ASSERT_EQ(part(0, c), 2 * whole(begin, c));
        }
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::nn::row_products_test
