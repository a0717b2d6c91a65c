// Numbers of 64 bits before and 256 bits after the point, for the rare decisions of a sampler that a double cannot
// take. Whole-number arithmetic throughout: the same answer on every machine. Never negative; the caller keeps signs.
// Microseconds a call, so nothing for inner loops.
//
// Error. Products, quotients and square roots are cut off, less than one unit 2^-256 below the true value (a few
// units for a product of values above 1, in proportion). The functions add up fewer than 200 such terms; each states
// its own bound.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace graphveil {

class Fixed {
 public:
  static constexpr int kFractionBits = 256;

  constexpr Fixed() = default;
  constexpr explicit Fixed(uint64_t whole) { limbs_[4] = whole; }
  // high / 2^64 + middle / 2^128 + low / 2^192.
  static Fixed fraction(uint64_t high, uint64_t middle = 0, uint64_t low = 0);
  // A finite double in [0, 2^64), exactly when it is a multiple of 2^-256, else cut off.
  static Fixed from_double(double value);
  // numerator / denominator, cut off; denominator >= 1.
  static Fixed ratio(uint64_t numerator, uint64_t denominator);

  uint64_t whole() const { return limbs_[4]; }
  // The first 64 bits after the point.
  uint64_t fraction_head() const { return limbs_[3]; }
  bool is_zero() const;
  std::strong_ordering operator<=>(const Fixed& other) const;
  bool operator==(const Fixed& other) const = default;

  Fixed operator+(const Fixed& other) const;  // modulo 2^64
  Fixed operator-(const Fixed& other) const;  // other <= *this
  Fixed operator*(const Fixed& other) const;  // the true product is below 2^64
  Fixed operator*(uint64_t factor) const;
  Fixed operator/(uint64_t divisor) const;
  Fixed shifted_left(int bits) const;   // times 2^bits, what passes 2^64 lost; bits in [0, 319]
  Fixed shifted_right(int bits) const;  // over 2^bits, cut off

 private:
  std::array<uint64_t, 5> limbs_{};  // the lowest first; the last is the whole part
};

// a / b for a < 2 b, b > 0.
Fixed quotient(const Fixed& a, const Fixed& b);
// Within 2^-250 for x below 16, in proportion to the root above.
Fixed square_root(const Fixed& x);
// e^-x, within 2^-245.
Fixed exp_minus(const Fixed& x);
// A logarithm with its sign; |value| within 2^-240.
struct SignedFixed {
  bool negative = false;
  Fixed size;
};
// ln x for x > 0.
SignedFixed logarithm(const Fixed& x);
// |cos| and |sin| of `turns` turns with their signs, within 2^-245; turns in [0, 1).
struct CosineSine {
  SignedFixed cosine, sine;
};
CosineSine cosine_sine(const Fixed& turns);

}  // namespace graphveil
