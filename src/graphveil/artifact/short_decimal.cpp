#include "graphveil/artifact/short_decimal.h"

#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

namespace graphveil::artifact {
namespace {

constexpr int kDigits = 6;
constexpr double kLeast = 1e5, kBeyond = 1e6;  // numbers of six digits
// A float of 24 bits times 10^n is no rounded double while 24 bits and those of 5^n fit into 53: up to n = 12.
constexpr int kMostPowers = 12;

}  // namespace

// The number is scaled by powers of ten, without error, until it has six digits before the point, and rounded there to
// the nearest, to even between two: as printf does, which rounds the exact number.
void append_short(std::string& text, Real number) {
  const bool exact = std::numeric_limits<Real>::digits == 24 && number > 0 && number < 1;
  double scaled = exact ? static_cast<double>(number) * kBeyond : 0;
  int powers = kDigits;
  for (; exact && scaled < kLeast && powers < kMostPowers; ++powers) scaled *= 10;
  if (!exact || scaled < kLeast) {
    fmt::format_to(std::back_inserter(text), "{:.6g}", number);
    return;
  }
  auto digits = static_cast<int>(std::nearbyint(scaled));
  if (digits == static_cast<int>(kBeyond)) {
    digits /= 10;
    --powers;
  }
  // 0.d1...d6 times ten to the power of `exponent`.
  const int exponent = kDigits - powers;
  std::array<char, kDigits> places;
  for (int i = kDigits - 1; i >= 0; --i, digits /= 10)
    places[static_cast<size_t>(i)] = static_cast<char>('0' + digits % 10);
  size_t kept = kDigits;
  while (kept > 1 && places[kept - 1] == '0') --kept;
  if (exponent == 1) {  // rounded up to 1
    text += '1';
  } else if (exponent > -4) {
    text.append("0.").append(static_cast<size_t>(-exponent), '0').append(places.data(), kept);
  } else {
    text += places[0];
    if (kept > 1) text.append(".").append(places.data() + 1, kept - 1);
    text.append("e-0") += static_cast<char>('0' + 1 - exponent);
  }
}

}  // namespace graphveil::artifact
