// The label of a noisy maximum: known odds, and the lemma that vertices of the simplex are the worst.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/error.h"

namespace graphveil::account::noisy_argmax_test {
namespace {

double density(ArgmaxNoise noise, double x) {
  switch (noise) {
    case ArgmaxNoise::Laplace: return 0.5 * std::exp(-std::fabs(x));
    case ArgmaxNoise::Gaussian: return std::exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
    case ArgmaxNoise::Gumbel: return std::exp(-x - std::exp(-x));
  }
  return 0;
}

double below(ArgmaxNoise noise, double x) {
  switch (noise) {
    case ArgmaxNoise::Laplace: return x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x);
    case ArgmaxNoise::Gaussian: return 0.5 * std::erfc(-x / std::sqrt(2.0));
    case ArgmaxNoise::Gumbel: return std::exp(-std::exp(-x));
  }
  return 0;
}

// P(argmax = k) for every k by the midpoint rule.
std::vector<double> label_law(ArgmaxNoise noise, double scale, const std::vector<double>& p) {
  std::vector<double> out(p.size(), 0.0);
  const double step = 0.01;
  for (double x = -20 + step / 2; x < 30 + 1 / scale; x += step) {
    for (size_t k = 0; k < p.size(); ++k) {
      double mass = density(noise, x - p[k] / scale) * step;
      for (size_t j = 0; j < p.size(); ++j) {
        if (j != k) mass *= below(noise, x - p[j] / scale);
      }
      out[k] += mass;
    }
  }
  return out;
}

TEST(NoisyArgmax, KnownOdds) {
  // Two classes: the difference of two normals has variance 2, P = Phi(1 / (s sqrt 2)).
  for (double scale : {0.2, 1.0, 10.0, 1e4}) {
    const double keep = 0.5 * std::erfc(-0.5 / scale), other = 0.5 * std::erfc(0.5 / scale);
    const double odds = noisy_argmax_log_odds(ArgmaxNoise::Gaussian, scale, 2);
    EXPECT_GE(odds, std::log(keep / other) * (1 - 1e-12));
    EXPECT_NEAR(odds / std::log(keep / other), 1, 1e-6);
  }
  // Two classes, Laplace: P(difference > t) = e^-t (2 + t) / 4.
  for (double scale : {0.2, 1.0, 10.0}) {
    const double t = 1 / scale, other = std::exp(-t) * (2 + t) / 4;
    EXPECT_NEAR(noisy_argmax_log_odds(ArgmaxNoise::Laplace, scale, 2), std::log((1 - other) / other), 1e-7 / scale);
  }
  EXPECT_NEAR(noisy_argmax_log_odds(ArgmaxNoise::Gumbel, 0.25, 7), 4 * (1 + 6 * kArgmaxStep), 1e-12);
  // Far beyond the range of doubles: P(another wins) is about phi(t) / t with t = 1 / (s sqrt 2).
  for (double scale : {0.01, 0.02}) {
    const double t = 1 / (scale * std::sqrt(2.0));
    const double expected = 0.5 * t * t + std::log(t * std::sqrt(2 * M_PI)) + 1 / (t * t);
    EXPECT_NEAR(noisy_argmax_log_odds(ArgmaxNoise::Gaussian, scale, 2) / expected, 1, 1e-6);
    EXPECT_NEAR(noisy_argmax_log_odds(ArgmaxNoise::Laplace, scale, 2), 1 / scale - std::log((2 + 1 / scale) / 4),
                1e-6 + 1.1 * kArgmaxStep / scale);
  }
  EXPECT_THROW(noisy_argmax_log_odds(ArgmaxNoise::Laplace, 0, 3), Error);
  EXPECT_THROW(noisy_argmax_log_odds(ArgmaxNoise::Laplace, 1, 1), Error);
}

// Two classes, one of which is sure, with Gumbel noise in whole steps and ties to the first, added up step by step: the
// second class loses more than continuous noise says, and no more than is priced.
TEST(NoisyArgmax, PaysForWholeStepsAndTies) {
  const double scale = 0.02, steps = scale / kArgmaxStep;
  const auto whole = static_cast<int64_t>(1 / kArgmaxStep), reach = static_cast<int64_t>(45 * steps);
  const auto below_edge = [&](double x) { return std::exp(-std::exp(-(x + 0.5) / steps)); };  // P(r <= x)
  const auto above = [&](double x) { return -std::expm1(-std::exp(-(x + 0.5) / steps)); };    // P(r > x)
  double first_sure = 0, second_sure = 0;                                                     // P(the second wins)
  double before = below_edge(static_cast<double>(-5 * static_cast<int64_t>(steps)) - 1);
  for (int64_t x = -5 * static_cast<int64_t>(steps); x < reach; ++x) {
    const double up_to = below_edge(static_cast<double>(x)), mass = up_to - before;  // P(the noise of the first is x)
    before = up_to;
    first_sure += mass * above(static_cast<double>(x + whole));
    second_sure += mass * above(static_cast<double>(x - whole));
  }
  const double loss = std::log(second_sure / first_sure);
  EXPECT_GT(loss, (1 + 0.2 * kArgmaxStep) / scale);
  EXPECT_LE(loss, noisy_argmax_log_odds(ArgmaxNoise::Gumbel, scale, 2));
  EXPECT_GT(loss, noisy_argmax_log_odds(ArgmaxNoise::Gumbel, scale, 2) - 2 * kArgmaxStep / scale);
}

TEST(NoisyArgmax, TheScaleForSomeOddsIsTheSmallest) {
  for (ArgmaxNoise noise : {ArgmaxNoise::Laplace, ArgmaxNoise::Gaussian, ArgmaxNoise::Gumbel}) {
    for (double odds : {0.01, 0.7, 3.0, 12.0}) {
      const double scale = noisy_argmax_scale(noise, odds, 5);
      EXPECT_LE(noisy_argmax_log_odds(noise, scale, 5), odds);
      EXPECT_GT(noisy_argmax_log_odds(noise, scale * (1 - 1e-5), 5), odds);
    }
  }
  EXPECT_EQ(noisy_argmax_scale(ArgmaxNoise::Gumbel, 1e4, 5), kSmallestArgmaxScale);
  EXPECT_THROW(noisy_argmax_scale(ArgmaxNoise::Gumbel, 1e-9, 5), Error);
}

TEST(NoisyArgmax, NoPairOfPosteriorsIsWorseThanTwoVertices) {
  std::mt19937_64 random(5);
  std::exponential_distribution<double> exponential;
  const auto simplex = [&](size_t classes) {
    std::vector<double> p(classes);
    double total = 0;
    const double power = random() % 2 ? 1 : 4;  // some near vertices
    for (double& x : p) total += x = std::pow(exponential(random), power);
    for (double& x : p) x /= total;
    return p;
  };
  for (ArgmaxNoise noise : {ArgmaxNoise::Laplace, ArgmaxNoise::Gaussian, ArgmaxNoise::Gumbel}) {
    for (size_t classes = 3; classes <= 6; ++classes) {
      for (double scale : {0.15, 0.5, 2.0}) {
        const double r = noisy_argmax_log_odds(noise, scale, static_cast<int64_t>(classes));
        const double a = 1 / (1 + static_cast<double>(classes - 1) * std::exp(-r)), b = a * std::exp(-r);
        // What the midpoint rule is off by: at a vertex, where the truth is known.
        std::vector<double> vertex(classes, 0.0);
        vertex[0] = 1;
        const auto law = label_law(noise, scale, vertex);
        const double error = 4 * static_cast<double>(classes) * (std::fabs(law[0] - a) + std::fabs(law[1] - b)) + 1e-9;
        EXPECT_LT(error, 2e-3);
        for (int i = 0; i < 12; ++i) {
          const auto p = label_law(noise, scale, simplex(classes)), q = label_law(noise, scale, simplex(classes));
          // Below 0 too: the pair must be dominated in both directions.
          for (double epsilon : {-0.5 * r, 0.0, 0.2 * r, 0.5 * r, 0.9 * r}) {
            const double e = std::exp(epsilon);
            double delta = 0;
            for (size_t k = 0; k < classes; ++k) delta += std::max(0.0, p[k] - e * q[k]);
            const double others = static_cast<double>(classes - 2) * std::max(0.0, b - e * b);
            const double dominating = std::max(0.0, a - e * b) + std::max(0.0, b - e * a) + others;
            EXPECT_LE(delta, dominating + (1 + e) * error) << classes << " " << epsilon << " " << scale;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace graphveil::account::noisy_argmax_test
