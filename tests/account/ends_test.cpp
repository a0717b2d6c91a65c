// Answers at the ends of the range that once were wrong, slow or endless.
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "graphveil/account/atoms_sum.h"
#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/error.h"

namespace graphveil::account::ends_test {
namespace {

ErrorKind refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "not refused";
  return ErrorKind::Internal;
}

std::shared_ptr<const Event> share(Event event) { return std::make_shared<const Event>(std::move(event)); }

TEST(Ends, SteepTiltsDoNotUnderflow) {
  // 39.88886 was printed, where the true delta is 1e-3.
  const Ledger pair{Event("", RandomizedResponse{17.59, 2}), Event("", RandomizedResponse{11.15, 2}, {}, 2)};
  EXPECT_GE(spent_epsilon(pair, 2.49e-12), 39.88999999999751 * (1 - 1e-12));
  EXPECT_LE(spent_epsilon(pair, 2.49e-12), 39.89 * (1 + 1e-10));
  for (double odds : {310.0, 400.0, 650.0}) {
    const double epsilon = spent_epsilon({Event("", RandomizedResponse{odds, 2})}, 1e-9);
    EXPECT_NEAR(epsilon, odds + std::log1p(-1e-9), 1e-12 * odds);
  }
}

TEST(Ends, OneRareHugeEventAmongAMillionTinyOnes) {
  const Event tiny("", Gaussian{200}, Poisson{0.01}, 1'000'000);
  const double alone = spent_epsilon({tiny}, 1e-6);
  const double both = spent_epsilon({tiny, Event("", Laplace{1.0 / 140}, Poisson{1e-8})}, 1e-6);
  EXPECT_GT(both, alone);
  EXPECT_LT(both, 1.03 * alone);
}

TEST(Ends, ASmallRateCostsNothing) {
  EXPECT_EQ(spent_epsilon({Event("", Gaussian{1}, Poisson{1e-10}, 1000)}, 1e-6), 0);
  EXPECT_EQ(spent_epsilon({Event("", Gaussian{1}, Poisson{1e-30}, 1000)}, 1e-6), 0);
}

TEST(Ends, OneSampledStepGrowsWithEverything) {
  double before = 0;
  for (double rate : {1e-8, 1e-6, 1e-4, 3e-3, 0.01, 0.1, 0.5, 1.0}) {
    const double now = spent_epsilon({Event("", Gaussian{1}, Poisson{rate})}, 1e-6);
    EXPECT_GE(now, before) << rate;
    before = now;
  }
  before = 0;
  for (int64_t count : {1, 2, 3, 5, 8, 20, 100, 1000}) {
    const double now = spent_epsilon({Event("", Gaussian{1}, Poisson{0.003}, count)}, 1e-6);
    EXPECT_GE(now, before) << count;
    before = now;
  }
}

TEST(Ends, TwoRareSteps) {
  // Numerical integration with 30 digits: delta(0.01400974) = 4.041904442e-12.
  const Ledger two{Event("", Gaussian{0.5351459211024637}, Poisson{8.05508734532219e-07}, 2)};
  EXPECT_GE(spent_epsilon(two, 4.041904442e-12), 0.01400974 * (1 - 1e-6));
  EXPECT_LE(spent_epsilon(two, 4.041904442e-12), 0.01400974 * (1 + 1e-3));
}

TEST(Ends, NumbersBeyondAnyUseAreRefused) {
  EXPECT_EQ(refusal([] { Event("", Gaussian{1e160}); }), ErrorKind::InvalidArgument);
  EXPECT_EQ(refusal([] { Event("", Gaussian{1}, Poisson{1e-160}); }), ErrorKind::InvalidArgument);
  EXPECT_EQ(refusal([] {
              spent_epsilon({Event("", Gaussian{1}, PoissonGroup{0.5, 1'000'000'000, 0})}, 1e-6);
            }),
            ErrorKind::Unsupported);
  // Many samples that are hardly ever drawn are no trouble.
  EXPECT_LT(spent_epsilon({Event("", Gaussian{1}, PoissonGroup{1e-9, 1'000'000'000, 0})}, 1e-6), 100);
}

TEST(Ends, PureEpsilonAtDeltaZero) {
  EXPECT_NEAR(spent_epsilon({Event("", Laplace{2}, {}, 3), Event("", DiscreteLaplace{4})}, 0), 1.75, 1e-12);
  EXPECT_NEAR(spent_epsilon({Event("", RandomizedResponse{2, 5}, Poisson{0.1}, 10)}, 0),
              10 * std::log1p(0.1 * std::expm1(2)), 1e-12);
  const Event inner("", Composed{{Event("", Exponential{1}), Event("", DiscreteLaplace{2})}});
  EXPECT_NEAR(spent_epsilon({Event("", Sampled{0.2, share(inner)}, 4)}, 0), 4 * std::log1p(0.2 * std::expm1(1.5)),
              1e-12);
  EXPECT_TRUE(std::isinf(spent_epsilon({Event("", DiscreteGaussian{1})}, 0)));
}

TEST(Nested, TwoSpellingsOfOneThingCostTheSame) {
  for (double noise : {0.7, 1.1, 49.0}) {
    const Event one("", Gaussian{noise});
    EXPECT_EQ(spent_epsilon({Event("", Sampled{0.01, share(one)}, 500)}, 1e-6),
              spent_epsilon({Event("", Gaussian{noise}, Poisson{0.01}, 500)}, 1e-6));
  }
  const Event pair("", Composed{{Event("", Gaussian{2}, {}, 3), Event("", Laplace{4}, Poisson{0.1}, 5)}}, 2);
  EXPECT_EQ(spent_epsilon({pair}, 1e-6),
            spent_epsilon({Event("", Gaussian{2}, {}, 6), Event("", Laplace{4}, Poisson{0.1}, 10)}, 1e-6));
  EXPECT_EQ(spent_epsilon({Event("", Sampled{1, share(pair)})}, 1e-6), spent_epsilon({pair}, 1e-6));
  EXPECT_EQ(spent_epsilon({Event("", Sampled{0, share(pair)}, 1000)}, 1e-6), 0);
}

TEST(Nested, OneSampleOfACompositionIsAmplified) {
  // One run: epsilon' = ln(1 + q (e^epsilon - 1)) at q delta.
  const Ledger whole{Event("", Gaussian{2}, {}, 3), Event("", Laplace{3}, {}, 2)};
  const Event inner("", Composed{whole.events()});
  for (double rate : {0.5, 0.01}) {
    const double expected = amplified_epsilon(whole, rate, 1e-6);
    EXPECT_NEAR(spent_epsilon({Event("", Sampled{rate, share(inner)})}, 1e-6) / expected, 1, 1e-3) << rate;
  }
  // Twice sampled is sampled at the product.
  const Event once("", Sampled{0.5, share(inner)});
  EXPECT_NEAR(spent_epsilon({Event("", Sampled{0.02, share(once)}, 20)}, 1e-6) /
                  spent_epsilon({Event("", Sampled{0.01, share(inner)}, 20)}, 1e-6),
              1, 1e-3);
  // Renyi, an independent way, is above but not by much.
  const Ledger many{Event("", Sampled{0.1, share(inner)}, 100)};
  const double tight = spent_epsilon(many, 1e-6), renyi = spent_epsilon(many, 1e-6, Accountant::Rdp);
  EXPECT_GE(renyi, tight);
  EXPECT_LE(renyi, 1.25 * tight);
}

TEST(Nested, UnsupportedPairsAreKnownBefore) {
  const Event good("", Gaussian{1}, PoissonGroup{0.1, 2, 1}), bad("", Laplace{1}, PoissonGroup{0.1, 2, 1});
  EXPECT_TRUE(supports(good));
  EXPECT_FALSE(supports(bad));
  EXPECT_FALSE(supports(Event("", Composed{{good, Event("", Sampled{0.5, share(bad)})}})));
  EXPECT_EQ(refusal([&] { spent_epsilon({bad}, 1e-5); }), ErrorKind::Unsupported);
  Event deep = good;
  for (int i = 1; i < kDeepestNesting; ++i) deep = Event("", Sampled{0.5, share(deep)});
  EXPECT_EQ(refusal([&] { Event("", Sampled{0.5, share(deep)}); }), ErrorKind::InvalidArgument);
  Event wide("", Composed{{good, good, good, good}});
  EXPECT_EQ(refusal([&] {
              for (int i = 0; i < 20; ++i) wide = Event("", Composed{{wide, wide, wide, wide}});
            }),
            ErrorKind::InvalidArgument);
  EXPECT_EQ(refusal([&] { wide.mechanism(); }), ErrorKind::Internal);
}

TEST(Nested, LabelReleasesOfPrivGnn) {
  // 1000 queries, each on a Poisson sample at 0.3, delta 1e-4, ten classes, Laplace noise of scale 1 / lambda.
  const double lambdas[] = {0.1, 0.2, 0.4, 0.8, 1.0}, published[] = {1.64, 3.81, 9.66, 29.1, 43.8};
  for (int i = 0; i < 5; ++i) {
    const double odds = noisy_argmax_log_odds(ArgmaxNoise::Laplace, 1 / lambdas[i], 10);
    const Event query("query", RandomizedResponse{odds, 10});
    EXPECT_NEAR(spent_epsilon({Event("queries", Sampled{0.3, share(query)}, 1000)}, 1e-4) / published[i], 1, 0.01);
  }
}

TEST(Atoms, AgreeWithTheLattice) {
  const Ledger ledgers[] = {
      {Event("", Gaussian{1}, Poisson{0.01}, 100), Event("", Laplace{5}, {}, 10)},
      {Event("", Gaussian{16}, PoissonGroup{0.1, 8, 7}, 20)},
      {Event("", RandomizedResponse{1, 7}, Poisson{0.1}, 200), Event("", Gaussian{3}, {}, 2)},
  };
  for (const Ledger& ledger : ledgers) {
    for (double delta : {1e-9, 1e-5, 1e-2}) {
      const double lattice = spent_epsilon(ledger, delta), atoms = atoms_epsilon(summarize(ledger), delta);
      EXPECT_NEAR(atoms / lattice, 1, 1.5e-3) << delta;
      EXPECT_NEAR(atoms_delta(summarize(ledger), lattice) / delta, 1, 0.05) << delta;
    }
  }
}

TEST(Ends, AHugeRangeCostsItsRange) {
  // All of these were 0.
  const Event huge("", Exponential{3e8});
  EXPECT_NEAR(spent_epsilon({huge}, 1e-6), 3e8, 0.1);
  EXPECT_NEAR(spent_epsilon({huge}, 1e-6, Accountant::Rdp), 3e8, 0.1);
  EXPECT_GE(spent_epsilon({huge, Event("", Gaussian{1})}, 1e-6), 3e8 + 4);
  const Event both("", Composed{{huge, Event("", Gaussian{1})}});
  EXPECT_GE(spent_epsilon({Event("", Sampled{0.5, share(both)})}, 1e-6), 3e8);
  EXPECT_GE(spent_epsilon({Event("", Tuned{PositivePoisson{3}, share(huge)})}, 1e-6), 3e8);
  for (double range : {1e6, 2.7e8, 1e12, 1e15}) {
    EXPECT_NEAR(spent_epsilon({Event("", Exponential{range}, {}, 2)}, 1e-6) / range, 2, 1e-4) << range;
  }
}

TEST(Ends, NoiseFarBelowTheSensitivity) {
  // Sixty digits: mu^2/2 + mu z + ln(rate), z the quantile at delta / rate.
  const double noises[] = {1e-9, 1e-10, 1e-11, 1e-12};
  const double exact[] = {500000003719016479.85, 50000000037190164849.0, 5.0000000003719016485e21,
                          5.0000000000371901649e23};
  for (int i = 0; i < 4; ++i) {
    const double epsilon = spent_epsilon({Event("", Gaussian{noises[i]}, Poisson{0.01})}, 1e-6);
    EXPECT_GE(epsilon, exact[i]) << noises[i];
    EXPECT_LE(epsilon, exact[i] * (1 + 1e-12)) << noises[i];
  }
}

TEST(Ends, NearlyEverythingIsLost) {
  // 0.98984 was said. One Gaussian of mu = sqrt(2) / 0.4845 already loses 0.83 of it, 23 discrete ones all the rest.
  const Ledger ledger{Event("", DiscreteGaussian{0.2143}, {}, 23), Event("", Gaussian{0.4845}, {}, 2)};
  EXPECT_GE(spent_delta(ledger, 0.195), 0.9999999);
}

TEST(Ends, ALossBeyondTheLatticeIsNoMemoryError) {
  const Event tiny("", DiscreteLaplace{0.001});
  EXPECT_GE(spent_epsilon({Event("", Tuned{PositivePoisson{3}, share(tiny)})}, 1e-6), 1000);
  EXPECT_EQ(spent_delta({tiny}, 1), 1);
  EXPECT_EQ(spent_delta({Event("", Tuned{PositivePoisson{3}, share(tiny)})}, 1), 1);
  const Event both("", Composed{{tiny, Event("", Laplace{1e-4})}});
  EXPECT_NEAR(spent_delta({Event("", Sampled{0.5, share(both)})}, 1), 0.5, 1e-9);
}

}  // namespace
}  // namespace graphveil::account::ends_test
