#include "graphveil/base/fixed_point.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace graphveil {
namespace {

__extension__ using Wide = unsigned __int128;

const Fixed kOne(1);

}  // namespace

Fixed Fixed::fraction(uint64_t high, uint64_t middle, uint64_t low) {
  Fixed x;
  x.limbs_ = {0, low, middle, high, 0};
  return x;
}

Fixed Fixed::from_double(double value) {
  assert(value >= 0 && value < 0x1p64);
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);  // value = mantissa 2^exponent, mantissa in [1/2, 1)
  const Fixed digits = Fixed(static_cast<uint64_t>(std::ldexp(mantissa, 53)));
  const int shift = exponent - 53;
  return shift >= 0 ? digits.shifted_left(shift) : digits.shifted_right(-shift);
}

Fixed Fixed::ratio(uint64_t numerator, uint64_t denominator) { return Fixed(numerator) / denominator; }

bool Fixed::is_zero() const { return *this == Fixed(); }

std::strong_ordering Fixed::operator<=>(const Fixed& other) const {
  for (int i = 4; i > 0; --i) {
    if (limbs_[i] != other.limbs_[i]) return limbs_[i] <=> other.limbs_[i];
  }
  return limbs_[0] <=> other.limbs_[0];
}

Fixed Fixed::operator+(const Fixed& other) const {
  Fixed sum;
  Wide carry = 0;
  for (size_t i = 0; i < limbs_.size(); ++i) {
    carry += Wide{limbs_[i]} + other.limbs_[i];
    sum.limbs_[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return sum;
}

Fixed Fixed::operator-(const Fixed& other) const {
  assert(other <= *this);
  Fixed rest;
  uint64_t borrow = 0;
  for (size_t i = 0; i < limbs_.size(); ++i) {
    const Wide taken = Wide{other.limbs_[i]} + borrow;
    borrow = Wide{limbs_[i]} < taken ? 1 : 0;
    rest.limbs_[i] = static_cast<uint64_t>(Wide{limbs_[i]} - taken);
  }
  return rest;
}

Fixed Fixed::operator*(const Fixed& other) const {
  // The full product of 10 limbs; its limbs 4 to 8 are the result.
  std::array<uint64_t, 10> full{};
  for (size_t i = 0; i < limbs_.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < limbs_.size(); ++j) {
      const Wide term = Wide{limbs_[i]} * other.limbs_[j] + full[i + j] + carry;
      full[i + j] = static_cast<uint64_t>(term);
      carry = static_cast<uint64_t>(term >> 64);
    }
    full[i + limbs_.size()] = carry;
  }
  assert(full[9] == 0);
  Fixed product;
  for (size_t i = 0; i < limbs_.size(); ++i) product.limbs_[i] = full[i + 4];
  return product;
}

Fixed Fixed::operator*(uint64_t factor) const {
  Fixed product;
  Wide carry = 0;
  for (size_t i = 0; i < limbs_.size(); ++i) {
    carry += Wide{limbs_[i]} * factor;
    product.limbs_[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
  return product;
}

Fixed Fixed::operator/(uint64_t divisor) const {
  assert(divisor > 0);
  Fixed result;
  Wide rest = 0;
  for (int i = 4; i >= 0; --i) {
    rest = (rest << 64) | limbs_[i];
    result.limbs_[i] = static_cast<uint64_t>(rest / divisor);
    rest %= divisor;
  }
  return result;
}

Fixed Fixed::shifted_left(int bits) const {
  Fixed result;
  const int limbs = bits / 64, rest = bits % 64;
  for (int i = 4; i >= limbs; --i) {
    result.limbs_[i] = limbs_[i - limbs] << rest;
    if (rest > 0 && i > limbs) result.limbs_[i] |= limbs_[i - limbs - 1] >> (64 - rest);
  }
  return result;
}

Fixed Fixed::shifted_right(int bits) const {
  Fixed result;
  const int limbs = bits / 64, rest = bits % 64;
  for (int i = 0; i + limbs <= 4; ++i) {
    result.limbs_[i] = limbs_[i + limbs] >> rest;
    if (rest > 0 && i + limbs < 4) result.limbs_[i] |= limbs_[i + limbs + 1] << (64 - rest);
  }
  return result;
}

Fixed quotient(const Fixed& a, const Fixed& b) {
  assert(b.whole() < uint64_t{1} << 62);
  // Long division, a bit at a time.
  Fixed rest = a, result;
  for (int bit = 0; bit <= Fixed::kFractionBits; ++bit) {
    result = result.shifted_left(1);
    if (b <= rest) {
      rest = rest - b;
      result = result + Fixed(1).shifted_right(Fixed::kFractionBits);
    }
    rest = rest.shifted_left(1);
  }
  return result;
}

Fixed square_root(const Fixed& x) {
  if (x.is_zero()) return {};
  // x = 4^e m with m in [1/4, 1). Newton's iteration for 1 / sqrt(m) doubles the right bits, from the 50 of a double to
  // 400, so that the cut-off products decide the error, and m / sqrt(m) = sqrt(m).
  int zeros = 0;
  Fixed m = x;
  if (x.whole() != 0) {
    zeros = (64 - std::countl_zero(x.whole()) + 1) / 2 * 2;
    m = x.shifted_right(zeros);
  } else {
    while (m.fraction_head() < uint64_t{1} << 62) {
      const int step = m.fraction_head() == 0 ? 64 : std::countl_zero(m.fraction_head()) / 2 * 2;
      m = m.shifted_left(step);
      zeros -= step;
    }
  }
  Fixed inverse = Fixed::from_double(1 / std::sqrt(std::ldexp(static_cast<double>(m.fraction_head()), -64)));
  for (int round = 0; round < 3; ++round) {
    inverse = (inverse * (Fixed(3) - m * inverse * inverse)).shifted_right(1);
  }
  const Fixed root = m * inverse;
  return zeros >= 0 ? root.shifted_left(zeros / 2) : root.shifted_right(-zeros / 2);
}

namespace {

// atanh(s) = s + s^3 / 3 + s^5 / 5 + ... for s <= 1/3: at most 81 terms, each cut off twice, and an error in s itself
// counts 9/8 of its size.
Fixed atanh_series(const Fixed& s) {
  const Fixed square = s * s;
  Fixed power = s, sum = s;
  for (uint64_t n = 3; !power.is_zero(); n += 2) {
    power = power * square;
    sum = sum + power / n;
  }
  return sum;
}

const Fixed& ln2() {
  static const Fixed value = atanh_series(Fixed::ratio(1, 3)).shifted_left(1);
  return value;
}

// atan(1 / n) = 1 / n - 1 / (3 n^3) + ...
Fixed atan_of_inverse(uint64_t n) {
  Fixed power = Fixed::ratio(1, n), sum;
  Fixed less;
  for (uint64_t k = 1; !power.is_zero(); k += 4) {
    sum = sum + power / k;
    power = power / (n * n);
    less = less + power / (k + 2);
    power = power / (n * n);
  }
  return sum - less;
}

// Machin: pi / 4 = 4 atan(1/5) - atan(1/239).
const Fixed& half_pi() {
  static const Fixed value = (atan_of_inverse(5) * 4 - atan_of_inverse(239)).shifted_left(1);
  return value;
}

// The sum of the series x^k / k! for k = first, first + 2, ..., the signs alternating; x below 1.
Fixed alternating_series(const Fixed& x, uint64_t first) {
  const Fixed square = x * x;
  Fixed term = first == 0 ? kOne : x, plus = term, minus;
  for (uint64_t k = first; !term.is_zero(); k += 2) {
    term = term * square / ((k + 1) * (k + 2));
    ((k - first) / 2 % 2 == 0 ? minus : plus) = ((k - first) / 2 % 2 == 0 ? minus : plus) + term;
  }
  return plus - minus;
}

}  // namespace

Fixed exp_minus(const Fixed& x) {
  if (x.whole() >= 256) return {};  // below 2^-369
  // x = k ln 2 + r with 0 <= r < ln 2, by subtraction of multiples: k < 512.
  uint64_t k = 0;
  Fixed r = x;
  for (int bit = 8; bit >= 0; --bit) {
    const Fixed multiple = ln2().shifted_left(bit);
    if (multiple <= r) {
      r = r - multiple;
      k += uint64_t{1} << bit;
    }
  }
  // e^-r by its series, even and odd terms apart.
  Fixed term = kOne, plus = kOne, minus;
  for (uint64_t n = 1; !term.is_zero(); ++n) {
    term = term * r / n;
    if (n % 2 == 0) {
      plus = plus + term;
    } else {
      minus = minus + term;
    }
  }
  return k > 319 ? Fixed() : (plus - minus).shifted_right(static_cast<int>(k));
}

SignedFixed logarithm(const Fixed& x) {
  assert(!x.is_zero());
  // x = 2^e m with m in [1, 2); ln m = 2 atanh((m - 1) / (m + 1)).
  Fixed m = x;
  int e = 0;
  if (x.whole() != 0) {
    // Cutting bits off a large x moves ln x by less than 2^-255.
    e = 63 - std::countl_zero(x.whole());
    m = x.shifted_right(e);
  } else {
    while (m.whole() == 0) {
      const int step = m.fraction_head() == 0 ? 64 : std::countl_zero(m.fraction_head()) + 1;
      m = m.shifted_left(step);
      e -= step;
    }
  }
  const Fixed log_m = atanh_series(quotient(m - kOne, m + kOne)).shifted_left(1);
  if (e >= 0) return {false, ln2() * static_cast<uint64_t>(e) + log_m};
  return {true, ln2() * static_cast<uint64_t>(-e) - log_m};
}

CosineSine cosine_sine(const Fixed& turns) {
  assert(turns.whole() == 0);
  // The quarter, and the rest of it folded into its first half: angles up to pi / 4.
  const Fixed quarters = turns.shifted_left(2);
  const uint64_t quarter = quarters.whole();
  Fixed rest = quarters - Fixed(quarter);
  const bool fold = Fixed::ratio(1, 2) < rest;
  if (fold) rest = kOne - rest;
  const Fixed x = rest * half_pi();
  Fixed c = alternating_series(x, 0), s = alternating_series(x, 1);
  if (fold != (quarter % 2 == 1)) std::swap(c, s);
  return {.cosine = {quarter == 1 || quarter == 2, c}, .sine = {quarter >= 2, s}};
}

}  // namespace graphveil
