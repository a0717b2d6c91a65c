#include "graphveil/kernels/discrete_table.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace graphveil::kernels::discrete_table_test {
namespace {

constexpr uint64_t kWords = uint64_t{1} << 63;

int64_t size_of(const DiscreteTable& table, uint64_t word, DiscreteTable::Further further = {}) {
  return table.size(word, [&] { return further; });
}

// Thresholds 1/2, 1/4 + 2^-100 and 2^-65, by hand.
TEST(DiscreteTable, ComparesWithTheThresholdsToTheLastBit) {
  const Fixed second = Fixed::ratio(1, 4) + Fixed(1).shifted_right(100);
  const DiscreteTable table({Fixed::ratio(1, 2), second, Fixed(1).shifted_right(65)});
  EXPECT_EQ(size_of(table, kWords - 1), 0);
  EXPECT_EQ(size_of(table, kWords / 2), 0);
  EXPECT_EQ(size_of(table, kWords / 2 - 1), 1);
  EXPECT_EQ(size_of(table, kWords / 4 + 1), 1);
  EXPECT_EQ(size_of(table, kWords / 4 - 1), 2);
  // The word of the second threshold itself: 2^-100 is 2^-37 of its cell, bit 27 of the first further word.
  const uint64_t edge = uint64_t{1} << 27;
  EXPECT_EQ(size_of(table, kWords / 4, {edge, 0}), 1);
  EXPECT_EQ(size_of(table, kWords / 4, {edge - 1, ~uint64_t{0}}), 2);
  // The third one is a quarter of the very first cell.
  EXPECT_EQ(size_of(table, 0, {uint64_t{1} << 62, 0}), 2);
  EXPECT_EQ(size_of(table, 0, {(uint64_t{1} << 62) - 1, 0}), 3);
  EXPECT_EQ(size_of(table, 1), 2);
}

// The least word with size below m is P(|X| >= m) 2^63, rounded up: found by halving, compared with the formula.
uint64_t threshold(const DiscreteTable& table, int64_t m) {
  uint64_t low = 0, high = kWords;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (size_of(table, middle, {~uint64_t{0}, ~uint64_t{0}}) >= m) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TEST(DiscreteTable, HoldsTheProbabilities) {
  for (double scale : {0.125, 1.0, 3.0, 40.0, 2000.0}) {
    const DiscreteTable table = laplace_table(Fixed::from_double(1 / scale));
    const double inverse = 1 / scale;
    const auto near = static_cast<int64_t>(3 * scale) + 1, far = static_cast<int64_t>(20 * scale) + 1;
    for (int64_t m : {int64_t{1}, int64_t{2}, near, far}) {
      const double want = 2 * std::exp(-static_cast<double>(m) * inverse) / (1 + std::exp(-inverse));
      EXPECT_NEAR(static_cast<double>(threshold(table, m)) / 0x1p63, want, 1e-12 * want + 0x1p-62) << m;
    }
  }
  for (double variance : {0.1, 1.0, 6.5, 1000.0, 1e6}) {
    const DiscreteTable table = gaussian_table(Fixed::from_double(1 / variance));
    const double inverse = 1 / variance;
    const auto weight = [&](int64_t k) {
      return std::exp(-0.5 * static_cast<double>(k) * static_cast<double>(k) * inverse);
    };
    const double deviation = std::sqrt(variance);
    double all = 1;
    const auto last = static_cast<int64_t>(40 * deviation) + 2;
    for (int64_t k = last; k >= 1; --k) all += 2 * weight(k);
    for (int64_t m : {int64_t{1}, static_cast<int64_t>(deviation) + 1, static_cast<int64_t>(6 * deviation)}) {
      if (m == 0) continue;
      double want = 0;
      for (int64_t k = last; k >= m; --k) want += 2 * weight(k);
      want /= all;
      EXPECT_NEAR(static_cast<double>(threshold(table, m)) / 0x1p63, want, 1e-11 * want + 0x1p-62)
          << variance << " " << m;
    }
  }
}

// Nothing is cut off: what passes the last threshold is a size of its own kind, which the tail goes on from. Even noise
// so small that 0 is all but sure has a threshold for 1.
TEST(DiscreteTable, EndsWhereTheTailGoesOn) {
  for (const double scale : {1.0 / 64, 1.0, 8192.0}) {
    const DiscreteTable table = laplace_table(Fixed::from_double(1 / scale));
    EXPECT_EQ(size_of(table, 0), table.last());
    EXPECT_EQ(size_of(table, kWords - 1), 0);
    const double least = 2 * std::exp(-static_cast<double>(table.last()) / scale) / (1 + std::exp(-1 / scale));
    EXPECT_TRUE(table.last() == 1 || least >= 0x1p-63) << least;
    EXPECT_LE(2 * std::exp(-static_cast<double>(table.last() + 1) / scale) / (1 + std::exp(-1 / scale)), 0x1p-61);
  }
  EXPECT_EQ(gaussian_table(Fixed(64)).last(), 1);
  EXPECT_EQ(size_of(gaussian_table(Fixed(64)), 0), 1);
}

}  // namespace
}  // namespace graphveil::kernels::discrete_table_test
