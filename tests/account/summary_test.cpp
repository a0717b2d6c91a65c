#include "graphveil/account/summary.h"

#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "graphveil/base/error.h"
#include "tests/account/exact_delta.h"

namespace graphveil::account::summary_test {
namespace {

std::shared_ptr<const Event> share(Event event) { return std::make_shared<const Event>(std::move(event)); }

ErrorKind refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "not refused";
  return ErrorKind::Internal;
}

TEST(Summary, GaussiansBecomeOne) {
  // 4 / 2^2 + (3 + 1)^2 / 8^2 + 1 = 2.25: a full batch moves the sum by all its samples.
  const Summary s = summarize({Event("", Gaussian{2}, {}, 4), Event("", Gaussian{8}, PoissonGroup{1, 3, 1}),
                               Event("", Gaussian{1}, Poisson{1}), Event("", DiscreteGaussian{0.5}, {}, 9)});
  EXPECT_DOUBLE_EQ(s.gaussian_mu, 1.5);
  EXPECT_DOUBLE_EQ(s.discrete_mu, 6);
  EXPECT_TRUE(s.releases.empty());
  EXPECT_EQ(s.parts(), 2U);
  EXPECT_EQ(all_releases(s), (std::vector<EqualRuns>{{Gaussian{1 / s.gaussian_mu}, NoSampling{}, 1},
                                                     {DiscreteGaussian{1 / s.discrete_mu}, NoSampling{}, 1}}));
}

TEST(Summary, EqualLinesAreJoinedInAnyOrder) {
  const Event a("a", Laplace{2}, {}, 3), b("b", Gaussian{1}, PoissonGroup{0.1, 1, 0}, 5),
      c("c", Gaussian{1}, Poisson{0.1}, 7), d("d", RandomizedResponse{0.25, 2}), e("e", DiscreteLaplace{4}),
      f("f", Laplace{2}, Poisson{0.5});
  const Summary s = summarize({a, b, c, d, e, f, Event("", Composed{{a, d}}, 10)});
  EXPECT_EQ(s, summarize({Event("", Composed{{d, a}}, 10), e, f, c, a, b, d}));
  ASSERT_EQ(s.releases.size(), 4U);
  const auto count = [&](const Mechanism& m, const Sampling& sampling) {
    int64_t n = 0;
    for (const EqualRuns& r : s.releases) n += r.mechanism == m && r.sampling == sampling ? r.count : 0;
    return n;
  };
  EXPECT_EQ(count(Laplace{2}, NoSampling{}), 33);
  EXPECT_EQ(count(Laplace{2}, Poisson{0.5}), 1);
  EXPECT_EQ(count(Gaussian{1}, Poisson{0.1}), 12);
  EXPECT_EQ(count(RandomizedResponse{0.25, 2}, NoSampling{}), 12);
}

TEST(Summary, NestsAreFlattenedWhereThatIsExact) {
  const Event laplace("", Laplace{2}), normals("", Gaussian{3}, {}, 9), two("", Composed{{laplace, normals}});
  // Sampled twice; nine normals of 3 are one of 1; runs of runs.
  const Summary s = summarize({Event("", Sampled{0.5, share(Event("", Sampled{0.25, share(laplace)}))}, 6),
                               Event("", Sampled{0.1, share(normals)}, 4)});
  ASSERT_EQ(s.releases.size(), 2U);
  EXPECT_EQ(s.releases[0].count, 4);
  EXPECT_NEAR(std::get<Gaussian>(s.releases[0].mechanism).noise_multiplier, 1, 1e-15);
  EXPECT_EQ(s.releases[0].sampling, Sampling(Poisson{0.1}));
  EXPECT_EQ(s.releases[1].mechanism, Mechanism(Laplace{2}));
  EXPECT_NEAR(std::get<Poisson>(s.releases[1].sampling).rate, 0.125, 1e-16);
  EXPECT_GE(std::get<Poisson>(s.releases[1].sampling).rate, 0.125);
  EXPECT_EQ(s.releases[1].count, 6);
  // Two mechanisms that share a sample, and two runs that do, stay whole.
  const Event once("", Sampled{0.1, share(two)}), outer("", Sampled{0.1, share(Event("", Laplace{2}, {}, 2))});
  const Summary nested = summarize({once, Event("", Composed{{once}}, 2), outer});
  EXPECT_TRUE(nested.releases.empty());
  ASSERT_EQ(nested.nested.size(), 2U);
  EXPECT_EQ(nested.nested[0].count, 3);
  EXPECT_EQ(*nested.nested[0].whole, summarize({laplace, normals}));
  EXPECT_EQ(nested.nested[1].count, 1);
  EXPECT_EQ(summarize({Event("", Sampled{1, share(two)}, 5)}),
            summarize({Event("", Gaussian{3}, {}, 45), Event("", Laplace{2}, {}, 5)}));
}

TEST(Summary, NothingAndEverything) {
  const Event free[] = {Event("", Gaussian{0}, {}, 0),
                        Event("", Gaussian{1}, Poisson{0}),
                        Event("", Laplace{0}, Poisson{0}),
                        Event("", Gaussian{1}, PoissonGroup{0.5, 0, 0}),
                        Event("", RandomizedResponse{0, 3}),
                        Event("", Exponential{0}, {}, 9),
                        Event("", Sampled{0, share(Event("", Composed{{Event("", Laplace{0}, {}, 2)}}))})};
  for (const Event& event : free) EXPECT_TRUE(summarize({event}).empty());
  EXPECT_EQ(pure_epsilon(summarize({})), 0);
  EXPECT_EQ(total_variation(summarize({})), 0);
  for (const Event& event : {Event("", Laplace{0}, Poisson{1e-9}), Event("", DiscreteGaussian{0}),
                             Event("", Sampled{1e-9, share(Event("", Gaussian{0}, {}, 2))})}) {
    const Summary s = summarize({event});
    EXPECT_TRUE(s.unbounded);
    EXPECT_FALSE(s.empty());
    EXPECT_TRUE(std::isinf(pure_epsilon(s)));
    EXPECT_EQ(total_variation(s), 1);
  }
  // Whatever the count or rate.
  EXPECT_EQ(refusal([] { summarize({Event("", Laplace{1}, PoissonGroup{0, 2, 1}, 0)}); }), ErrorKind::Unsupported);
  const Event many("", Composed{{Event("", Laplace{1}, {}, 2'000'000)}}, 1'000'000);
  EXPECT_EQ(refusal([&] { summarize({many}); }), ErrorKind::InvalidArgument);
}

TEST(Summary, PureEpsilonAndTotalVariationByHand) {
  const Event laplace("", Laplace{2}, {}, 3), response("", RandomizedResponse{1.5, 4}, Poisson{0.1}, 2);
  const Event whole("", Composed{{Event("", Exponential{1}), Event("", DiscreteLaplace{1})}});
  const Summary s = summarize({laplace, response, Event("", Sampled{0.02, share(whole)}, 4)});
  EXPECT_NEAR(pure_epsilon(s), 1.5 + 2 * std::log(0.9 + 0.1 * std::exp(1.5)) + 4 * std::log(0.98 + 0.02 * std::exp(2)),
              1e-13);
  EXPECT_TRUE(std::isinf(pure_epsilon(summarize({laplace, Event("", Gaussian{9}, Poisson{0.1})}))));
  // delta at epsilon = 0 of each part alone is exact, and sums bound the whole.
  const auto variation = [](const Mechanism& m, const Sampling& sampling) {
    return total_variation(summarize({Event("", m, sampling)}));
  };
  EXPECT_NEAR(variation(Gaussian{0.7}, NoSampling{}), static_cast<double>(exact::gaussian_delta(1 / 0.7L, 0)), 1e-12);
  EXPECT_NEAR(variation(Gaussian{0.7}, Poisson{0.1}), static_cast<double>(exact::gaussian_delta(1 / 0.7L, 0)) / 10,
              1e-12);
  EXPECT_NEAR(variation(Laplace{2}, NoSampling{}), static_cast<double>(exact::laplace_delta(0.5L, 0)), 1e-12);
  EXPECT_NEAR(variation(Exponential{1.2}, NoSampling{}), static_cast<double>(exact::range_delta(1.2L, 0)), 1e-12);
  EXPECT_NEAR(variation(RandomizedResponse{1.5, 4}, NoSampling{}),
              static_cast<double>(exact::delta(exact::response(1.5L, 4), 0)), 1e-12);
  EXPECT_NEAR(variation(DiscreteLaplace{2}, NoSampling{}),
              static_cast<double>(exact::delta(exact::response(0.5L, 2), 0)), 1e-12);
  EXPECT_GE(variation(Gaussian{2}, PoissonGroup{0.05, 3, 2}),
            static_cast<double>(exact::Group(2, 0.05L, 3, 2).delta(0)));
  EXPECT_NEAR(variation(Gaussian{2}, PoissonGroup{0.05, 3, 2}), 1 - std::pow(0.95, 5), 1e-12);
  EXPECT_NEAR(total_variation(s),
              3 * (1 - std::exp(-0.25)) + 2 * variation(RandomizedResponse{1.5, 4}, Poisson{0.1}) +
                  4 * 0.02 * (std::tanh(0.25) + std::tanh(0.5)),
              1e-12);
  EXPECT_EQ(total_variation(summarize({laplace, laplace})), 1);
}

}  // namespace
}  // namespace graphveil::account::summary_test
