#include "graphveil/artifact/short_decimal.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <gtest/gtest.h>

namespace graphveil::artifact::short_decimal_test {
namespace {

std::string printed(Real number) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.6g", static_cast<double>(number));
  return text.data();
}

std::string short_text(Real number) {
  std::string text = "before ";
  append_short(text, number);
  return text.substr(7);
}

void expect_as_printed(Real number) { EXPECT_EQ(short_text(number), printed(number)) << number; }

TEST(ShortDecimal, SaysWhatPrintfSays) {
  for (const float number :
       {0.0f,       -0.0f, 1.0f,  0.5f,  0.1f,   0.0001f, 0.00001f, 0.99999949f, 0.9999995f, 0.9999996f,
        0.1234565f, 1e-6f, 1e-7f, 1e-8f, 1e-38f, 1e-45f,  1.5f,     123456.7f,   1e20f,      -0.25f}) {
    expect_as_printed(number);
  }
  expect_as_printed(std::numeric_limits<Real>::infinity());
}

// Around every power of ten, where the number of places before the first digit changes, and carries run through.
TEST(ShortDecimal, SaysWhatPrintfSaysAroundPowersOfTen) {
  for (int power = -9; power <= 1; ++power) {
    auto number = static_cast<float>(std::pow(10.0, power));
    for (int i = 0; i < 200; ++i) number = std::nextafter(number, 0.0f);
    for (int i = 0; i < 400; ++i, number = std::nextafter(number, 2.0f)) expect_as_printed(number);
  }
}

// Whole sixteenths of a last place and the like: between two decimals it goes to the even one.
TEST(ShortDecimal, TiesGoToEven) {
  for (int n = 1; n < 1 << 14; ++n) expect_as_printed(static_cast<Real>(std::ldexp(n, -14)));
  for (int n = 1; n < 1 << 12; ++n) expect_as_printed(static_cast<Real>(std::ldexp(2 * n + 1, -24)));
}

TEST(ShortDecimal, SaysWhatPrintfSaysOfFloatsAllOver) {
  const uint32_t last = std::bit_cast<uint32_t>(1.0f);
  for (uint64_t bits = 1; bits <= last; bits += 10007) {
    const auto number = std::bit_cast<float>(static_cast<uint32_t>(bits));
    ASSERT_EQ(short_text(number), printed(number)) << number;
  }
}

}  // namespace
}  // namespace graphveil::artifact::short_decimal_test
