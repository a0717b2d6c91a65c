#include "graphveil/account/noisy_argmax.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "graphveil/account/normal.h"
#include "graphveil/base/error.h"

namespace graphveil::account {
namespace {

// ln of the density and of the distribution function at x, in units of the scale; `gap` is about -ln P(another one
// wins) for a shift of t, which keeps that integral within the range of doubles.
struct LaplaceNoise {
  static double log_density(double x) { return -0.69314718055994530942 - std::fabs(x); }
  static double gap(double t) { return t; }
  static double log_below(double x) { return x < 0 ? x - 0.69314718055994530942 : std::log1p(-0.5 * std::exp(-x)); }
  static constexpr double kReach = 60;
};

struct NormalNoise {
  static double log_density(double x) { return -0.91893853320467274178 - 0.5 * x * x; }
  static double gap(double t) { return 0.25 * t * t; }
  static double log_below(double x) { return log_normal_cdf(x); }
  static constexpr double kReach = 13;
};

struct Odds {
  double keep, other;  // P(i wins), and e^gap P(j wins), at vertex e_i
};

// With shift t = 1 / scale: the winner i has value x with density f(x - t), the others lie below; another winner j has
// density f(x), i lies below it and so do the C - 2 others.
//   keep = int f(x - t) F(x)^(C-1) dx,      other = int f(x) F(x - t) F(x)^(C-2) dx.
// Gauss-Legendre with five nodes on panels that begin and end at the corners 0 and t of the densities.
template <typename Noise>
Odds integrate(double t, double classes, int panels) {
  constexpr double kNode[] = {0.0, 0.53846931010568309104, 0.90617984593866399280};
  constexpr double kWeight[] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  std::vector<double> ends{-Noise::kReach, 0, t, t + Noise::kReach};
  Odds sum{0, 0};
  const auto add = [&](double x, double w) {
    const double below = Noise::log_below(x);
    sum.keep += w * std::exp(Noise::log_density(x - t) + (classes - 1) * below);
    sum.other += w * std::exp(Noise::log_density(x) + Noise::log_below(x - t) + (classes - 2) * below + Noise::gap(t));
  };
  for (size_t piece = 0; piece + 1 < ends.size(); ++piece) {
    const double width = (ends[piece + 1] - ends[piece]) / panels;
    for (int k = 0; k < panels; ++k) {
      const double middle = ends[piece] + (k + 0.5) * width, half = 0.5 * width;
      add(middle, half * kWeight[0]);
      for (int n = 1; n < 3; ++n) {
        add(middle - half * kNode[n], half * kWeight[n]);
        add(middle + half * kNode[n], half * kWeight[n]);
      }
    }
  }
  return sum;
}

template <typename Noise>
double log_odds(double scale, int64_t classes) {
  const double t = 1 / scale, c = static_cast<double>(classes), gap = Noise::gap(t);
  // Both integrals are sums of positive terms: relatively accurate to the rounding of the exponents, and so is their
  // ratio. What the tails beyond the reach hold is below 1e-20 of them.
  double before = 0;
  for (int panels = 500; panels <= 32000; panels *= 2) {
    const Odds odds = integrate<Noise>(t, c, panels);
    const double now = gap + std::log(odds.keep / odds.other), change = std::fabs(now - before);
    if (panels > 500 && change <= 1e-10 + 1e-7 * now) return now + 16 * change + 1e-13 + 1e-15 * gap;
    before = now;
  }
  fail(ErrorKind::NotConverged, "the log-odds of a noisy maximum with scale {} and {} classes could not be computed",
       scale, classes);
}

}  // namespace

double noisy_argmax_log_odds(ArgmaxNoise noise, double scale, int64_t classes) {
  require(scale >= kSmallestArgmaxScale && scale <= kLargestArgmaxScale, "scale is {}; wanted a number in [{}, {}]",
          scale, kSmallestArgmaxScale, kLargestArgmaxScale);
  require(classes >= 2 && classes <= 1'000'000, "classes is {}; wanted a number in [2, 1000000]", classes);
  // A few last digits are for the rounding of this line.
  const double c = static_cast<double>(classes), stepped = scale / (1 + (c - 1) * kArgmaxStep) * (1 - 0x1p-50);
  const double sampled = 0x1p-73 * c * c;
  switch (noise) {
    case ArgmaxNoise::Laplace: return log_odds<LaplaceNoise>(stepped, classes) + sampled;
    case ArgmaxNoise::Gaussian: return log_odds<NormalNoise>(stepped, classes) + sampled;
    case ArgmaxNoise::Gumbel: return 1 / stepped * (1 + 1e-15) + sampled;
  }
  fail(ErrorKind::Internal, "unknown noise");
}

double noisy_argmax_scale(ArgmaxNoise noise, double log_odds, int64_t classes) {
  const auto fits = [&](double scale) { return noisy_argmax_log_odds(noise, scale, classes) <= log_odds; };
  double low = kSmallestArgmaxScale, high = kLargestArgmaxScale;
  if (fits(low)) return low;
  require(fits(high), "no noise of scale up to {} has log-odds {}", high, log_odds);
  while (high / low > 1 + 1e-6) {
    const double middle = std::sqrt(low * high);
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace graphveil::account
