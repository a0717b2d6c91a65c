#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "graphveil/account/noisy_argmax.h"
#include "graphveil/base/error.h"
#include "graphveil/bound/label.h"
#include "graphveil/mechanism/release.h"
#include "tests/mechanism/access.h"

namespace graphveil::mechanism::noisy_argmax_test {
namespace {

constexpr bound::Relation kNode = bound::Relation::Node;

// `count` label releases, each on a fresh Poisson sample of the records.
Plan sampled_plan(double log_odds, double rate, int64_t count) {
  auto inner = std::make_shared<const account::Event>("", account::RandomizedResponse{log_odds, 3});
  return {{account::Event("answers", account::Sampled{rate, inner}, count),
           bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
}

TEST(LabelRelease, KeepsALabelAsOftenAsItsLogOddsSay) {
  constexpr int64_t kDraws = 30000;
  const double log_odds = 1.5, keep = 1 / (1 + 2 * std::exp(-log_odds));
  Release release = Release::open(kNode, sampled_plan(log_odds, 0.1, kDraws), {1e9, 1e-5}, Seed::from_number(3));
  std::vector<double> seen(3, 0);
  for (int64_t i = 0; i < kDraws; ++i) {
    seen[release.label("answers", bound::teacher_label(2, 3, kNode, account::Poisson{0.1})).value()] += 1.0 / kDraws;
  }
  EXPECT_TRUE(release.complete());
  const double slack = 4 * std::sqrt(0.25 / kDraws);
  EXPECT_NEAR(seen[2], keep, slack);
  EXPECT_NEAR(seen[0], (1 - keep) / 2, slack);
  EXPECT_NEAR(seen[1], (1 - keep) / 2, slack);
}

TEST(LabelRelease, WantsTheSamplingOfItsLine) {
  Release release = Release::open(kNode, sampled_plan(1, 0.1, 5), {1e9, 1e-5}, Seed::from_number(3));
  EXPECT_THROW(release.label("answers", bound::teacher_label(0, 3, kNode)), Error);
  EXPECT_THROW(release.label("answers", bound::teacher_label(0, 3, kNode, account::Poisson{0.2})), Error);
  EXPECT_THROW(release.label("answers", bound::teacher_label(0, 3, bound::Relation::Record, account::Poisson{0.1})),
               Error);
  EXPECT_TRUE(release.spent().empty());
}

TEST(NoisyArgmax, AtAVertexWinsAsOftenAsTheLemmaSays) {
  constexpr int64_t kDraws = 20000;
  using account::ArgmaxNoise;
  for (const ArgmaxNoise noise : {ArgmaxNoise::Laplace, ArgmaxNoise::Gaussian, ArgmaxNoise::Gumbel}) {
    const double scale = 0.6, log_odds = account::noisy_argmax_log_odds(noise, scale, 3);
    const Plan plan{{account::Event("answers", account::RandomizedResponse{log_odds, 3}, {}, kDraws),
                     bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
    Release release = Release::open(kNode, plan, {1e9, 1e-5}, Seed::from_number(5));
    double won = 0;
    for (int64_t i = 0; i < kDraws; ++i) {
      won += release.noisy_argmax("answers", bound::teacher_posterior({0, 1, 0}, kNode), noise, scale).value() == 1;
    }
    const double expected = 1 / (1 + 2 * std::exp(-log_odds));
    EXPECT_NEAR(won / kDraws, expected, 4 * std::sqrt(0.25 / kDraws)) << static_cast<int>(noise);
  }
}

TEST(NoisyArgmax, RefusesLessNoiseThanPlannedAndLogits) {
  const Plan plan{{account::Event("answers", account::RandomizedResponse{1, 3}),
                   bound::TestVoucher::bound(1, bound::Norm::Hamming)}};
  Release release = Release::open(kNode, plan, {1e9, 1e-5}, Seed::from_number(5));
  EXPECT_THROW(
      release.noisy_argmax("answers", bound::teacher_posterior({1, 0, 0}, kNode), account::ArgmaxNoise::Gumbel, 0.5),
      Error);
  EXPECT_TRUE(release.spent().empty());
  EXPECT_THROW(bound::teacher_posterior({-3.0, 2.5, 0}, kNode), Error);
  EXPECT_THROW(bound::teacher_posterior({0.9, 0.9, 0}, kNode), Error);
}

}  // namespace
}  // namespace graphveil::mechanism::noisy_argmax_test
