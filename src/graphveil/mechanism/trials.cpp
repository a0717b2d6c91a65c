#include "graphveil/mechanism/trials.h"

#include <algorithm>
#include <cmath>

#include "graphveil/base/error.h"

namespace graphveil::mechanism {
namespace {

// P(k) = stop (1 - stop)^(k - 1).
int64_t geometric(double stop, RandomStream& random) {
  int64_t k = 1;
  while (!random.bernoulli(stop)) ++k;
  return k;
}

// Poisson of rate 1 from uniform whole numbers (Duchon and Duvignau 2016, "Preserving the number of cycles of length k
// in a growing uniform permutation").
int64_t poisson_of_one(RandomStream& random) {
  int64_t k = 1;
  uint64_t below = 0;
  for (uint64_t n = 1;; ++n) {
    const uint64_t i = random.below(n + 1);
    if (i == n) {
      ++k;
    } else if (i < below) {
      return k;
    } else {
      --k;
      below = n + 1;
    }
  }
}

struct Draw {
  RandomStream& random;

  int64_t operator()(const account::NegativeBinomial& t) const {
    if (t.shape == 1) return geometric(t.stop, random);
    if (t.shape != 0) fail(ErrorKind::Unsupported, "trials of shape {} cannot be drawn; 0 and 1 can", t.shape);
    // A geometric k, kept with chance 1/k.
    while (true) {
      const int64_t k = geometric(t.stop, random);
      if (random.below(static_cast<uint64_t>(k)) == 0) return k;
    }
  }

  // The sum of whole rates, of which each one is kept with the same chance; until it is not 0. The chance is a double
  // without rounding: 1, or the rate over a power of two.
  int64_t operator()(const account::PositivePoisson& t) const {
    const double whole = t.rate == std::floor(t.rate) ? t.rate : std::exp2(std::max(0.0, std::ceil(std::log2(t.rate))));
    int64_t k = 0;
    while (k == 0) {
      for (double r = 0; r < whole; ++r) {
        for (int64_t one = poisson_of_one(random); one > 0; --one) k += random.bernoulli(t.rate / whole);
      }
    }
    return k;
  }
};

}  // namespace

int64_t draw_trials(const account::Trials& trials, RandomStream& random) { return std::visit(Draw{random}, trials); }

}  // namespace graphveil::mechanism
