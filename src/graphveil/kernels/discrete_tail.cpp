#include "graphveil/kernels/discrete_tail.h"

namespace graphveil::kernels {
namespace {

bool coin(const Fixed& chance, RandomStream& random) {
  const uint64_t high = random.next_u64(), middle = random.next_u64();
  return Fixed::fraction(high, middle, random.next_u64()) < chance;
}

int64_t successes(const Fixed& x, RandomStream& random) {
  int64_t count = 0;
  while (exp_minus_coin(x, random)) ++count;
  return count;
}

}  // namespace

bool exp_minus_coin(Fixed x, RandomStream& random) {
  const Fixed one(1);
  for (; x >= one; x = x - one) {
    if (!coin(exp_minus(one), random)) return false;
  }
  return coin(exp_minus(x), random);
}

int64_t laplace_tail(const Fixed& one_over_scale, RandomStream& random) { return successes(one_over_scale, random); }

int64_t gaussian_tail(const Fixed& one_over_variance, int64_t last, RandomStream& random) {
  const Fixed step = one_over_variance * static_cast<uint64_t>(last);
  while (true) {
    const int64_t j = successes(step, random);
    const Fixed half_square =
        (one_over_variance * static_cast<uint64_t>(j) * static_cast<uint64_t>(j)).shifted_right(1);
    if (exp_minus_coin(half_square, random)) return j;
  }
}

}  // namespace graphveil::kernels
