#include "graphveil/kernels/discrete_tail.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::kernels::discrete_tail_test {
namespace {

constexpr int kDraws = 3000;

// Within five standard deviations of a count whose chance is `chance`.
void expect_share(int64_t count, double chance) {
  EXPECT_NEAR(static_cast<double>(count), kDraws * chance, 5 * std::sqrt(kDraws * chance * (1 - chance)) + 1e-9);
}

TEST(DiscreteTail, CoinsHaveTheirChance) {
  RandomStream random(Seed::from_number(1), "coins");
  for (const double x : {0.0, 0.1, 1.0, 2.5, 700.0}) {
    int64_t heads = 0;
    for (int i = 0; i < kDraws; ++i) heads += exp_minus_coin(Fixed::from_double(x), random) ? 1 : 0;
    expect_share(heads, std::exp(-x));
  }
}

TEST(DiscreteTail, LaplaceIsGeometric) {
  RandomStream random(Seed::from_number(2), "laplace");
  for (const double scale : {0.25, 3.0}) {
    std::vector<int64_t> at_least(8, 0);
    for (int i = 0; i < kDraws; ++i) {
      const int64_t j = laplace_tail(Fixed::from_double(1 / scale), random);
      for (size_t m = 0; m < at_least.size(); ++m) at_least[m] += j >= static_cast<int64_t>(m) ? 1 : 0;
    }
    for (size_t m = 0; m < at_least.size(); ++m) expect_share(at_least[m], std::exp(-static_cast<double>(m) / scale));
  }
}

TEST(DiscreteTail, GaussianIsWhatIsLeftOfIt) {
  RandomStream random(Seed::from_number(3), "gaussian");
  for (const auto& [variance, last] : {std::pair{4.0, int64_t{3}}, {0.5, 1}, {100.0, 25}}) {
    const auto weight = [&](int64_t k) { return std::exp(-0.5 * static_cast<double>(k * k) / variance); };
    double all = 0;
    for (int64_t k = last; k < last + 300; ++k) all += weight(k);
    std::vector<int64_t> count(6, 0);
    for (int i = 0; i < kDraws; ++i) {
      const int64_t j = gaussian_tail(Fixed::from_double(1 / variance), last, random);
      if (j < static_cast<int64_t>(count.size())) ++count[static_cast<size_t>(j)];
    }
    for (size_t j = 0; j < count.size(); ++j) {
      expect_share(count[j], weight(last + static_cast<int64_t>(j)) / all);
    }
  }
}

}  // namespace
}  // namespace graphveil::kernels::discrete_tail_test
