// The sizes |X| of a symmetric whole-number distribution as a table of exact thresholds, and their lookup.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graphveil/base/fixed_point.h"

namespace graphveil::kernels {

// The uniform number U of a draw is (word + V) / 2^63 with a word of 63 bits and further bits V in [0, 1);
// |X| is the number of m >= 1 with U < P(|X| >= m).
class DiscreteTable {
 public:
  // 128 further bits, asked for when the word does not decide.
  using Further = std::array<uint64_t, 2>;

  // P(|X| >= m) = at_least[m - 1], falling, below 1; at least one of them.
  explicit DiscreteTable(const std::vector<Fixed>& at_least);

  // Where the table ends: size() = last() says that |X| is at least this, and how much more is to be drawn apart
  // (kernels/discrete_tail.h).
  int64_t last() const { return static_cast<int64_t>(heads_.size()); }
  // further() is called at most once.
  template <typename Draw>
  int64_t size(uint64_t word, Draw further) const {
    // The thresholds above the word, counted by the cell of its first bits, and within the cell by halving.
    const uint64_t cell = word >> kCellShift;
    uint32_t low = above_cell_[cell + 1], high = above_cell_[cell];
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (heads_[middle] > word) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == heads_.size() || heads_[low] != word) [[likely]]
      return low;
    return decide(low, word, further());
  }

 private:
  static constexpr int kCellBits = 12, kCellShift = 63 - kCellBits;
  int64_t decide(uint32_t low, uint64_t word, const Further& further) const;

  std::vector<uint64_t> heads_;                              // the first 63 bits of each threshold
  std::vector<Further> tails_;                               // 128 more
  std::array<uint32_t, (1 << kCellBits) + 1> above_cell_{};  // thresholds with a head in this cell or a later one
};

// Tables end where larger sizes have less than 2^-62 together, but not before m = 1.
// exp(-|k| / scale); one_over_scale as a fixed-point number.
DiscreteTable laplace_table(const Fixed& one_over_scale);
// exp(-k^2 / (2 variance)).
DiscreteTable gaussian_table(const Fixed& one_over_variance);

}  // namespace graphveil::kernels
