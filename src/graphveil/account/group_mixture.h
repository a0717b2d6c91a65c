// The number of samples that one record touches in a Poisson batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace graphveil::account {

// Throws Unsupported when more numbers than this (twice) matter: each costs a pass over the line.
inline constexpr size_t kMostComponents = 2048;

// Binom(n, rate) on its essential support: weight[i] is the probability of first + i; `dropped` >= what is left out.
struct Binomial {
  int64_t first = 0;
  std::vector<double> weight;
  double dropped = 0;

  Binomial(int64_t n, double rate, double tail);
};

}  // namespace graphveil::account
