#include "graphveil/account/group_mixture.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"

namespace graphveil::account::group_mixture_test {
namespace {

// Pascal's way: one more sample at a time.
std::vector<long double> by_addition(int n, long double rate) {
  std::vector<long double> out{1};
  for (int k = 0; k < n; ++k) {
    out.push_back(0);
    for (size_t i = out.size(); i-- > 0;) out[i] = (1 - rate) * out[i] + (i > 0 ? rate * out[i - 1] : 0);
  }
  return out;
}

TEST(GroupMixture, MatchesSumsOfCoins) {
  for (int n : {1, 2, 7, 300}) {
    for (double rate : {1e-9, 0.02, 0.5, 0.97}) {
      for (double tail : {1e-30, 1e-12, 1e-3}) {
        const Binomial binomial(n, rate, tail);
        const std::vector<long double> truth = by_addition(n, rate);
        long double kept = 0;
        ASSERT_GE(binomial.first, 0);
        ASSERT_LE(binomial.first + static_cast<int64_t>(binomial.weight.size()), n + 1);
        for (size_t i = 0; i < binomial.weight.size(); ++i) {
          const long double p = truth[static_cast<size_t>(binomial.first) + i];
          kept += p;
          // Relative to what is kept: the weights are made to sum to 1 - dropped, which may be more than was left out.
          EXPECT_NEAR(binomial.weight[i] / static_cast<double>(p), 1, 1e-12 + tail) << n << " " << rate << " " << i;
        }
        EXPECT_GE(binomial.dropped, static_cast<double>(1 - kept) * (1 - 1e-9) - 1e-15) << n << " " << rate;
        EXPECT_LE(binomial.dropped, tail) << n << " " << rate;
        const double sum = std::accumulate(binomial.weight.begin(), binomial.weight.end(), binomial.dropped);
        EXPECT_NEAR(sum, 1, 1e-14) << n << " " << rate;
      }
    }
  }
}

TEST(GroupMixture, ManySamplesHardlyEverDrawnArePoisson) {
  // n g = 3: the Poisson weights, but for n g^2.
  const Binomial binomial(1'000'000'000, 3e-9, 1e-20);
  ASSERT_EQ(binomial.first, 0);
  double p = std::exp(-3.0);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(binomial.weight[i] / p, 1, 1e-6) << i;
    p *= 3 / static_cast<double>(i + 1);
  }
  EXPECT_LT(binomial.weight.size(), 60U);
}

TEST(GroupMixture, CertainCounts) {
  const Binomial none(0, 0.3, 1e-9), never(12, 0, 1e-9), always(12, 1, 1e-9);
  for (const Binomial* b : {&none, &never, &always}) {
    EXPECT_EQ(b->weight, std::vector<double>{1});
    EXPECT_EQ(b->dropped, 0);
  }
  EXPECT_EQ(none.first, 0);
  EXPECT_EQ(never.first, 0);
  EXPECT_EQ(always.first, 12);
}

TEST(GroupMixture, RefusesTooManyCounts) {
  // Deviation 50: 400 on either side. Deviation 500: 4000.
  EXPECT_LT(Binomial(10'000, 0.5, 1e-12).weight.size(), 1000U);
  try {
    Binomial(1'000'000, 0.5, 1e-12);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_NE(std::string(error.what()).find("1000000 samples"), std::string::npos);
  }
}

}  // namespace
}  // namespace graphveil::account::group_mixture_test
