#include "graphveil/kernels/discrete_table.h"

#include <cassert>
#include <cstddef>

namespace graphveil::kernels {
namespace {

// Whether a table may end before this probability: a threshold keeps more than 100 bits of its own, and what is drawn
// apart is never seen.
bool rare(const Fixed& p) { return p < Fixed(1).shifted_right(62); }

}  // namespace

DiscreteTable::DiscreteTable(const std::vector<Fixed>& at_least) {
  heads_.reserve(at_least.size());
  tails_.reserve(at_least.size());
  for (const Fixed& p : at_least) {
    assert(p < Fixed(1));
    const Fixed scaled = p.shifted_left(63);
    heads_.push_back(scaled.whole());
    tails_.push_back({scaled.fraction_head(), scaled.shifted_left(64).fraction_head()});
  }
  // Heads fall, so those in a cell or a later one are the first so many.
  size_t count = heads_.size();
  for (uint64_t cell = 0; cell <= uint64_t{1} << kCellBits; ++cell) {
    while (count > 0 && heads_[count - 1] >> kCellShift < cell) --count;
    above_cell_[cell] = static_cast<uint32_t>(count);
  }
}

int64_t DiscreteTable::decide(uint32_t low, uint64_t word, const Further& further) const {
  // Several thresholds may share a head; their tails fall.
  while (low < heads_.size() && heads_[low] == word && further < tails_[low]) ++low;
  return low;
}

DiscreteTable laplace_table(const Fixed& one_over_scale) {
  // With a = exp(-1 / scale): P(0) = (1 - a) / (1 + a), P(|X| >= m) = 2 a^m / (1 + a). A product is cut off by at most
  // 2^-256, so entry m is within m 2^-256 and the error of the first.
  const Fixed a = exp_minus(one_over_scale);
  std::vector<Fixed> at_least;
  for (Fixed p = quotient(a + a, Fixed(1) + a); at_least.empty() || !rare(p); p = p * a) at_least.push_back(p);
  return DiscreteTable(at_least);
}

DiscreteTable gaussian_table(const Fixed& one_over_variance) {
  // Weights r_k = q^(k^2) with q = exp(-1 / (2 variance)): r_(k+1) = r_k q^(2k+1). After k steps the factor is within
  // 2 k units of 2^-256 and the weight within k^2; k is below 2^18, so the
  // sum of all is within 2^-200. Weights below 2^-200 are left out.
  const Fixed q = exp_minus(one_over_variance.shifted_right(1)), square = q * q;
  std::vector<Fixed> weights;
  Fixed factor = q;
  for (Fixed r = q; r > Fixed(1).shifted_right(200); r = r * factor) {
    weights.push_back(r);
    factor = factor * square;
  }
  // Sums from the small end; all = 1 + 2 sum.
  std::vector<Fixed> at_least(weights.size());
  Fixed sum;
  for (size_t k = weights.size(); k-- > 0;) {
    sum = sum + weights[k].shifted_left(1);
    at_least[k] = sum;
  }
  const Fixed all = Fixed(1) + sum;
  const Fixed inverse = quotient(Fixed(1), all);
  size_t used = 0;
  for (; used < at_least.size(); ++used) {
    at_least[used] = at_least[used] * inverse;
    if (used > 0 && rare(at_least[used])) break;
  }
  at_least.resize(used);
  return DiscreteTable(at_least);
}

}  // namespace graphveil::kernels
