// Distances between samples and distributions, with limits that a true sample passes except once in 10,000.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace graphveil::reference {

// sqrt(n) times the Kolmogorov-Smirnov distance between the sample and the distribution function. It passes
// kKolmogorovLimit with probability 2 exp(-2 * 2.23^2) = 1e-4.
inline constexpr double kKolmogorovLimit = 2.23;
template <typename Distribution>
double kolmogorov(std::vector<double> sample, Distribution distribution) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double f = distribution(sample[i]);
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return std::sqrt(n) * distance;
}

// How many standard deviations chi-square of the counts lies above its mean (Wilson and Hilferty's cube root, which
// is nearly normal): passes 3.72 with probability 1e-4.
inline constexpr double kNormalLimit = 3.72;
inline double chi_square_score(const std::vector<int64_t>& counts, const std::vector<double>& expected) {
  double chi_square = 0, cells = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double difference = static_cast<double>(counts[i]) - expected[i];
    chi_square += difference * difference / expected[i];
    ++cells;
  }
  const double k = cells - 1;
  return (std::cbrt(chi_square / k) - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
}

// (count - mean) / sqrt(mean): standard normal for a Poisson count with a mean above about 30.
inline double poisson_score(int64_t count, double mean) {
  return (static_cast<double>(count) - mean) / std::sqrt(mean);
}

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
inline double laplace_cdf(double x) { return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x); }
inline double gumbel_cdf(double x) { return std::exp(-std::exp(-x)); }

}  // namespace graphveil::reference
