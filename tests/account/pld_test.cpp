#include "graphveil/account/pld.h"

#include <cmath>

#include <gtest/gtest.h>

#include "graphveil/account/gdp.h"
#include "graphveil/base/random.h"
#include "tests/reference/hockey_stick.h"

namespace graphveil::account::pld_test {
namespace {

TEST(Pld, GaussiansAgreeWithTheExactCurve) {
  for (double s : {0.5, 1.0, 20.0}) {
    for (int64_t count : {int64_t{1}, int64_t{30}, int64_t{1000}, int64_t{20000}}) {
      const double mu = std::sqrt(static_cast<double>(count)) / s;
      if (mu > 12) continue;
      for (double delta : {1e-3, 1e-6, 1e-12}) {
        const double exact = gdp_epsilon(mu, delta), lattice = pld_epsilon({{Gaussian{s}, NoSampling{}, count}}, delta);
        EXPECT_GE(lattice, exact) << s << " " << count << " " << delta;
        EXPECT_LE(lattice, exact * 1.0003) << s << " " << count << " " << delta;
      }
    }
  }
}

TEST(Pld, AMillionGaussians) {
  for (double delta : {1e-5, 1e-12}) {
    const double exact = gdp_epsilon(1, delta), lattice = pld_epsilon({{Gaussian{1000}, NoSampling{}, 1000000}}, delta);
    EXPECT_GE(lattice, exact);
    EXPECT_LE(lattice, exact * 1.0003);
  }
}

TEST(Pld, DeltaAgreesWithTheExactCurve) {
  for (double e : {0.0, 0.5, 2.0, 6.0, 15.0}) {
    const double exact = gdp_delta(1.2, e), lattice = pld_delta({{Gaussian{10 / 1.2}, NoSampling{}, 100}}, e);
    EXPECT_GE(lattice, exact * (1 - 1e-9)) << e;
    EXPECT_LE(lattice, exact * 1.003) << e;
  }
}

TEST(Pld, DeltaInvertsEpsilon) {
  const std::vector<EqualRuns> releases = {{Gaussian{1.2}, Poisson{0.05}, 300}, {Laplace{6}, NoSampling{}, 10}};
  for (double delta : {1e-2, 1e-5, 1e-10}) {
    const double e = pld_epsilon(releases, delta);
    EXPECT_NEAR(std::log(pld_delta(releases, e)), std::log(delta), 3e-3) << delta;
  }
}

// Draws both outcomes of two releases and averages (1 - e^(e - L))+ : the definition of delta, with its standard error.
struct Estimate {
  double mean, error;
};

Estimate monte_carlo(const std::function<double(RandomStream&)>& draw_loss, double epsilon, uint64_t index) {
  constexpr int kDraws = 400000;
  RandomStream stream(Seed::from_number(20240607), "pld test", index);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double loss = draw_loss(stream) + draw_loss(stream);
    const double value = loss > epsilon ? -std::expm1(epsilon - loss) : 0;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws;
  return {mean, std::sqrt((squares / kDraws - mean * mean) / kDraws)};
}

TEST(Pld, TwoCompositionsAgreeWithMonteCarlo) {
  const double s = 0.9, rate = 0.3;
  const reference::Pair gaussian = reference::gaussian_poisson(s, rate),
                        laplace = reference::laplace_poisson(1.4, rate);
  const auto gaussian_present = [&](RandomStream& r) {
    const double x = s * r.gaussian() + (r.bernoulli(rate) ? 1 : 0);
    return std::log(gaussian.present(x) / gaussian.blank(x));
  };
  const auto gaussian_blank = [&](RandomStream& r) {
    const double x = s * r.gaussian();
    return std::log(gaussian.blank(x) / gaussian.present(x));
  };
  const auto laplace_present = [&](RandomStream& r) {
    const double x = 1.4 * r.laplace() + (r.bernoulli(rate) ? 1 : 0);
    return std::log(laplace.present(x) / laplace.blank(x));
  };
  const auto laplace_blank = [&](RandomStream& r) {
    const double x = 1.4 * r.laplace();
    return std::log(laplace.blank(x) / laplace.present(x));
  };
  uint64_t index = 0;
  for (double e : {0.05, 0.3, 0.8}) {
    const auto larger = [&](const auto& present, const auto& blank) {
      const Estimate p = monte_carlo(present, e, index++), b = monte_carlo(blank, e, index++);
      return p.mean > b.mean ? p : b;
    };
    const Estimate g = larger(gaussian_present, gaussian_blank), l = larger(laplace_present, laplace_blank);
    EXPECT_NEAR(pld_delta({{Gaussian{s}, Poisson{rate}, 2}}, e), g.mean, 5 * g.error) << e;
    EXPECT_NEAR(pld_delta({{Laplace{1.4}, Poisson{rate}, 2}}, e), l.mean, 5 * l.error) << e;
  }
}

TEST(Pld, TwoGroupStepsAgreeWithMonteCarlo) {
  const double s = 4, rate = 0.2;
  const int deletions = 5, insertions = 4;
  const reference::Pair pair = reference::gaussian_group(s, rate, deletions, insertions);
  const auto present = [&](RandomStream& r) {
    const double x = s * r.gaussian() + static_cast<double>(r.binomial(deletions, rate));
    return std::log(pair.present(x) / pair.blank(x));
  };
  const auto blank = [&](RandomStream& r) {
    const double x = s * r.gaussian() - static_cast<double>(r.binomial(insertions, rate));
    return std::log(pair.blank(x) / pair.present(x));
  };
  for (double e : {0.1, 0.6}) {
    const Estimate p = monte_carlo(present, e, 100), b = monte_carlo(blank, e, 101);
    const Estimate& larger = p.mean > b.mean ? p : b;
    EXPECT_NEAR(pld_delta({{Gaussian{s}, PoissonGroup{rate, deletions, insertions}, 2}}, e), larger.mean,
                5 * larger.error);
  }
}

TEST(Pld, LossesBeyondTheLatticeAreInfinite) {
  EXPECT_EQ(pld_epsilon({{Gaussian{1e-3}, Poisson{0.5}, 1}}, 1e-6), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace graphveil::account::pld_test
