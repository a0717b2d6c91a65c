#include "graphveil/base/fixed_point.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "graphveil/base/random.h"

namespace graphveil::fixed_point_test {
namespace {

constexpr uint64_t kTop = ~uint64_t{0};

long double value(const Fixed& x) {
  return static_cast<long double>(x.whole()) + std::ldexp(static_cast<long double>(x.fraction_head()), -64);
}

// Whether two numbers differ by less than 2^-bits.
bool near(const Fixed& a, const Fixed& b, int bits) { return (a < b ? b - a : a - b) < Fixed(1).shifted_right(bits); }

TEST(FixedPoint, SumsProductsAndQuotientsByHand) {
  const Fixed third = Fixed::ratio(1, 3);
  EXPECT_EQ(third.whole(), 0u);
  EXPECT_EQ(third.fraction_head(), kTop / 3);
  EXPECT_TRUE(near(third * 3, Fixed(1), 250));
  EXPECT_TRUE(near(third + third + third, Fixed(1), 250));
  EXPECT_TRUE(near(third * third, Fixed::ratio(1, 9), 250));
  EXPECT_EQ((Fixed(5) - Fixed::ratio(1, 2)) * Fixed(2), Fixed(9));
  EXPECT_EQ(Fixed(1) - Fixed(1).shifted_right(256), Fixed::fraction(kTop, kTop, kTop) + Fixed(kTop).shifted_right(256));
  EXPECT_TRUE(near(quotient(Fixed(2), Fixed(7)), Fixed::ratio(2, 7), 254));
  EXPECT_TRUE(near(quotient(Fixed(5), Fixed(3)), Fixed::ratio(5, 3), 254));
  EXPECT_EQ(Fixed(3).shifted_left(70).shifted_right(70), Fixed(0));  // lost at the top
  EXPECT_EQ(Fixed(3).shifted_right(130).shifted_left(130), Fixed(3));
  EXPECT_LT(Fixed::fraction(0, 0, 1), Fixed::fraction(0, 1, 0));
}

TEST(FixedPoint, DoublesAreTakenExactly) {
  for (double x : {0.0, 1.0, 0.1, 0x1p-200, 12345.678, 0x1.fffffffffffffp63, 3.0}) {
    EXPECT_EQ(static_cast<double>(value(Fixed::from_double(x))), x < 0x1p-64 ? 0.0 : x) << x;
  }
  EXPECT_EQ(Fixed::from_double(0x1.8p-199), Fixed(3).shifted_right(200));
}

// Digits of e^-1, ln 2, sqrt 2 and cos, sin of 1/8 turn: heads from the published hexadecimal expansions.
TEST(FixedPoint, KnownConstants) {
  EXPECT_EQ(exp_minus(Fixed(1)).fraction_head(), 0x5E2D58D8B3BCDF1Au);
  EXPECT_EQ(logarithm(Fixed(2)).size.fraction_head(), 0xB17217F7D1CF79ABu);
  EXPECT_EQ(square_root(Fixed(2)).fraction_head(), 0x6A09E667F3BCC908u);
  const CosineSine diagonal = cosine_sine(Fixed::ratio(1, 8));
  EXPECT_EQ(diagonal.cosine.size.fraction_head(), 0xB504F333F9DE6484u);
  EXPECT_TRUE(near(diagonal.cosine.size, diagonal.sine.size, 245));
  // Digits of pi: sin x is x up to its cube. 2^-100 turns is an angle of pi 2^-99.
  EXPECT_EQ(cosine_sine(Fixed(1).shifted_right(100)).sine.size.shifted_left(97).fraction_head(), 0xC90FDAA22168C234u);
}

// The functions invert each other to the last bits, and agree with long double.
TEST(FixedPoint, FunctionsInvertEachOtherAndFollowTheLibrary) {
  RandomStream stream(Seed::from_number(5), "fixed point");
  for (int i = 0; i < 200; ++i) {
    const Fixed u = Fixed::fraction(stream.next_u64() >> (i % 30), stream.next_u64(), stream.next_u64());
    const SignedFixed log = logarithm(u);
    EXPECT_TRUE(log.negative);
    EXPECT_NEAR(static_cast<double>(value(log.size)), static_cast<double>(-std::log(value(u))), 1e-9);
    EXPECT_TRUE(near(exp_minus(log.size), u, 238));
    const Fixed root = square_root(log.size);
    EXPECT_TRUE(near(root * root, log.size, 248));
    const CosineSine both = cosine_sine(u);
    EXPECT_TRUE(near(both.cosine.size * both.cosine.size + both.sine.size * both.sine.size, Fixed(1), 240));
    const long double angle = 2 * std::numbers::pi_v<long double> * value(u);
    EXPECT_NEAR(static_cast<double>(value(both.cosine.size)), static_cast<double>(std::abs(std::cos(angle))), 1e-15);
    EXPECT_NEAR(static_cast<double>(value(both.sine.size)), static_cast<double>(std::abs(std::sin(angle))), 1e-15);
    EXPECT_EQ(both.cosine.negative, std::cos(angle) < 0);
    EXPECT_EQ(both.sine.negative, std::sin(angle) < 0);
    const Fixed large = Fixed(stream.next_u64() >> (i % 63)) + u;
    const double log_large = std::log(static_cast<double>(value(large)));
    EXPECT_NEAR(static_cast<double>(value(logarithm(large).size)), std::abs(log_large), 1e-14);
  }
  EXPECT_TRUE(exp_minus(Fixed(400)).is_zero());
  EXPECT_EQ(exp_minus(Fixed()), Fixed(1));
  EXPECT_TRUE(logarithm(Fixed(1)).size.is_zero());
  EXPECT_TRUE(near(logarithm(Fixed(1).shifted_right(256)).size, logarithm(Fixed(2)).size * 256, 235));
}

}  // namespace
}  // namespace graphveil::fixed_point_test
