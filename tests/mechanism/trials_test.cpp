#include "graphveil/mechanism/trials.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/tuned.h"
#include "graphveil/base/error.h"

namespace graphveil::mechanism::trials_test {
namespace {

using account::NegativeBinomial;
using account::PositivePoisson;

// Against P(1), P(2), ... and the rest, with 14 degrees of freedom: one seed in ten thousand is above 42.6.
void expect_drawn(const account::Trials& trials, const std::vector<double>& chances) {
  constexpr int kDraws = 200'000;
  RandomStream random(Seed::from_number(5), "trials");
  std::vector<double> seen(chances.size() + 1), expected = chances;
  double rest = 1;
  for (const double p : chances) rest -= p;
  expected.push_back(rest);
  for (int i = 0; i < kDraws; ++i) {
    const int64_t k = draw_trials(trials, random);
    ASSERT_GE(k, 1);
    ++seen[static_cast<size_t>(std::min<int64_t>(k, std::ssize(seen)) - 1)];
  }
  double chi_square = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    const double all = kDraws * expected[i];
    ASSERT_GT(all, 5);
    chi_square += (seen[i] - all) * (seen[i] - all) / all;
  }
  EXPECT_LT(chi_square, 42.6) << account::kind(trials);
}

TEST(Trials, AreDrawnWithTheStatedChances) {
  std::vector<double> poisson, thinned, logarithmic, geometric;
  for (int k = 1; k <= 14; ++k) {
    const double x = k;
    poisson.push_back(std::exp(-5 + x * std::log(5.0) - std::lgamma(x + 1)) / -std::expm1(-5.0));
    logarithmic.push_back(std::pow(0.9, x) / (x * std::log(10.0)));
    geometric.push_back(0.2 * std::pow(0.8, x - 1));
  }
  for (int k = 1; k <= 6; ++k) {
    const double x = k;
    thinned.push_back(std::exp(-1.25 + x * std::log(1.25) - std::lgamma(x + 1)) / -std::expm1(-1.25));
  }
  expect_drawn(PositivePoisson{5}, poisson);
  expect_drawn(PositivePoisson{1.25}, thinned);
  expect_drawn(NegativeBinomial{0, 0.1}, logarithmic);
  expect_drawn(NegativeBinomial{1, 0.2}, geometric);
}

TEST(Trials, ChancesOfASearchAreDoubles) {
  for (const int64_t mean : {2, 3, 5, 6, 7, 8}) {
    const double rate = std::get<PositivePoisson>(account::trials_of_mean(mean)).rate, whole = std::ceil(rate);
    EXPECT_EQ(rate / whole * whole, rate);
    EXPECT_EQ(std::fmod(rate / whole, 0x1p-40), 0) << mean;
  }
}

TEST(Trials, ASeedRepeatsThemAndOtherShapesAreRefused) {
  RandomStream a(Seed::from_number(1), "x"), b(Seed::from_number(1), "x");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(draw_trials(PositivePoisson{4}, a), draw_trials(PositivePoisson{4}, b));
  EXPECT_THROW(draw_trials(NegativeBinomial{0.5, 0.1}, a), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::trials_test
