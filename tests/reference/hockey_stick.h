// Privacy curves the slow, obvious way: densities written down from the definitions, sums over a fine grid.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "graphveil/account/loss_distribution.h"

namespace graphveil::reference {

// Two densities on [low, high], beyond which neither matters.
struct Pair {
  std::function<double(double)> present, blank;
  double low, high;
};

inline double normal_density(double x, double mean, double s) {
  const double d = (x - mean) / s;
  return std::exp(-0.5 * d * d) / (s * std::sqrt(2 * M_PI));
}

// sum_i Binom(i; deletions, rate) N(i, s^2) against sum_j Binom(j; insertions, rate) N(-j, s^2).
inline Pair gaussian_group(double s, double rate, int deletions, int insertions) {
  const auto mixture = [s, rate](int n, int sign) {
    std::vector<double> weights;
    for (int i = 0; i <= n; ++i) {
      const double ways = std::round(std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1)));
      weights.push_back(ways * std::pow(rate, i) * std::pow(1 - rate, n - i));
    }
    return [s, sign, weights](double x) {
      double sum = 0;
      for (size_t i = 0; i < weights.size(); ++i)
        sum += weights[i] * normal_density(x, sign * static_cast<double>(i), s);
      return sum;
    };
  };
  return {mixture(deletions, 1), mixture(insertions, -1), -insertions - 12 * s, deletions + 12 * s};
}

inline Pair gaussian_poisson(double s, double rate) { return gaussian_group(s, rate, 1, 0); }

inline Pair laplace_poisson(double b, double rate) {
  const auto at = [b](double x) { return std::exp(-std::fabs(x) / b) / (2 * b); };
  return {[=](double x) { return (1 - rate) * at(x) + rate * at(x - 1); }, at, -40 * b, 1 + 40 * b};
}

// Integral of max(0, p - e^epsilon q) by the midpoint rule. `reversed` exchanges the two densities.
inline double delta(const Pair& pair, double epsilon, bool reversed, int points = 200000) {
  const double width = (pair.high - pair.low) / points, scale = std::exp(epsilon);
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double x = pair.low + (i + 0.5) * width, p = pair.present(x), q = pair.blank(x);
    sum += std::max(0.0, reversed ? q - scale * p : p - scale * q);
  }
  return sum * width;
}

// E_P[(1 - e^(epsilon - L))+] of a lattice distribution.
inline double delta(const account::LossDistribution& loss, double epsilon) {
  double sum = loss.infinity;
  for (size_t i = 0; i < loss.mass.size(); ++i) {
    if (loss.loss(i) > epsilon) sum += loss.mass[i] * -std::expm1(epsilon - loss.loss(i));
  }
  return sum;
}

// The sum of two independent losses on one lattice, by two loops.
inline account::LossDistribution convolve(const account::LossDistribution& a, const account::LossDistribution& b) {
  account::LossDistribution out{a.step, a.first + b.first, std::vector<double>(a.mass.size() + b.mass.size() - 1), 0};
  for (size_t i = 0; i < a.mass.size(); ++i) {
    for (size_t j = 0; j < b.mass.size(); ++j) out.mass[i + j] += a.mass[i] * b.mass[j];
  }
  out.infinity = a.infinity + b.infinity - a.infinity * b.infinity;
  return out;
}

}  // namespace graphveil::reference
