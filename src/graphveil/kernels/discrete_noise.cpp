#include "graphveil/kernels/discrete_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "graphveil/base/error.h"
#include "graphveil/base/parallel.h"
#include "graphveil/kernels/discrete_table.h"
#include "graphveil/kernels/discrete_tail.h"

namespace graphveil::kernels {
namespace {

constexpr int64_t kTablePiece = 32768;
constexpr int64_t kTableStep = 1024;
// Number i uses bytes 8 i .. 8 i + 7 of its stream: the sign in the lowest bit, 63 bits for the size.

constexpr int64_t kNumbersPerBlock = kStreamBlockBytes / static_cast<int64_t>(sizeof(uint64_t));

// tail(random) draws how much a size is beyond the table's last one, from a stream that nothing else reads. values[i]
// gets number `first` + i.
template <typename Tail>
void add_from_table(std::span<int64_t> values, const DiscreteTable& table, const StreamName& name, int64_t first,
                    Tail&& tail) {
  require(first >= 0, "a part of a fill begins at {}", first);
  parallel_for(static_cast<int64_t>(values.size()), kTablePiece, [&](int64_t begin, int64_t end) {
    RandomStream stream(name.seed, name.purpose, name.index);
    stream.seek_block(static_cast<uint64_t>((first + begin) / kNumbersPerBlock));
    for (int64_t skipped = (first + begin) % kNumbersPerBlock; skipped > 0; --skipped) stream.next_u64();
    std::optional<RandomStream> upper;
    std::array<uint64_t, kTableStep> words;
    for (int64_t step = begin; step < end; step += kTableStep) {
      const int64_t count = std::min(kTableStep, end - step);
      stream.fill({reinterpret_cast<uint8_t*>(words.data()), static_cast<size_t>(count) * sizeof(uint64_t)});
      for (int64_t i = 0; i < count; ++i) {
        const int64_t number = first + step + i;
        int64_t size = table.size(words[i] >> 1, [&] {
          if (!upper) upper.emplace(name.seed, name.purpose, name.index);
          upper->seek_block(kFurtherBlocks + static_cast<uint64_t>(number));
          const uint64_t high = upper->next_u64();
          return DiscreteTable::Further{high, upper->next_u64()};
        });
        if (size == table.last()) [[unlikely]] {
          RandomStream random(name.seed, std::string(name.purpose) + "/tail/" + std::to_string(number), name.index);
          size += tail(random);
        }
        // The sign without a branch: negative is all ones or zero.
        const uint64_t negative = uint64_t{0} - (words[i] & 1);
        const uint64_t noise = (static_cast<uint64_t>(size) ^ negative) - negative;
        values[step + i] = static_cast<int64_t>(static_cast<uint64_t>(values[step + i]) + noise);
      }
    }
  });
}

Fixed inverse_of(Rational value, const char* what, double largest) {
  require(value.numerator >= 1 && value.denominator >= 1 && value.value() >= 1.0 / 64 && value.value() <= largest,
          "{} of discrete noise is {}/{}, want 1/64 to {}", what, value.numerator, value.denominator, largest);
  return Fixed::ratio(value.denominator, value.numerator);
}

}  // namespace

Rational exact_rational(double value) {
  require(value >= 0x1p-10 && value <= 0x1p53, "{} has no exact ratio here, want 2^-10 to 2^53", value);
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  auto numerator = static_cast<uint64_t>(std::ldexp(mantissa, 53));
  int shift = exponent - 53;  // value = numerator 2^shift, shift in [-62, 1]
  while (shift < 0 && numerator % 2 == 0) {
    numerator /= 2;
    ++shift;
  }
  return shift < 0 ? Rational{numerator, uint64_t{1} << -shift} : Rational{numerator << shift, 1};
}

void add_discrete_laplace(std::span<int64_t> values, Rational scale, const StreamName& stream, int64_t first) {
  const Fixed inverse = inverse_of(scale, "scale", 8192 * (1 + 0x1p-40));
  if (values.empty()) return;
  add_from_table(values, laplace_table(inverse), stream, first,
                 [&](RandomStream& random) { return laplace_tail(inverse, random); });
}

void add_discrete_gaussian(std::span<int64_t> values, Rational variance, const StreamName& stream, int64_t first) {
  const Fixed inverse = inverse_of(variance, "variance", 0x1p26);
  if (values.empty()) return;
  const DiscreteTable table = gaussian_table(inverse);
  add_from_table(values, table, stream, first,
                 [&](RandomStream& random) { return gaussian_tail(inverse, table.last(), random); });
}

}  // namespace graphveil::kernels
