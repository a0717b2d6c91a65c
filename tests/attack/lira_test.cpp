#include "graphveil/attack/lira.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/run/small_run.h"

namespace graphveil::attack::lira_test {
namespace {

TEST(Lira, ConfidenceIsLogit) {
  const std::vector<Real> p{0.75F, 0.2F, 0.05F};
  EXPECT_NEAR(scaled_confidence(p, 0), std::log(3.0), 1e-6);
  EXPECT_NEAR(scaled_confidence(p, 2), std::log(0.05 / 0.95), 1e-6);
  const std::vector<Real> sure{1, 0, 0};
  EXPECT_TRUE(std::isfinite(scaled_confidence(sure, 0)));
  EXPECT_TRUE(std::isfinite(scaled_confidence(sure, 1)));
}

TEST(Lira, FindsMembersOfWhatOverfitsAndNotOfWhatHasNoise) {
  const Candidates candidates{graph::generate(graph::preset("tiny", 200), Seed::from_number(1)), std::nullopt};
  const LiraOptions options{.models = 24, .shots = std::nullopt, .seed = Seed::from_number(1)};
  const LiraResult open =
      lira_attack(*run::quick("mlp", {{"epochs", "100"}, {"hidden-dim", "32"}}), candidates, options);
  EXPECT_GT(open.members.auc.mean, 0.7);
  EXPECT_EQ(open.candidates, 200);
  const LiraResult hidden = lira_attack(*run::quick("mlp-dp", {{"epsilon", "1"}}), candidates, options);
  EXPECT_LT(hidden.members.auc.mean, 0.56);
}

TEST(Lira, WithAFewMembersOfEveryClass) {
  const Candidates candidates{graph::generate(graph::preset("tiny", 100), Seed::from_number(1)), std::nullopt};
  const LiraResult found = lira_attack(*run::quick("mlp", {{"epochs", "100"}, {"hidden-dim", "32"}}), candidates,
                                       {.models = 24, .shots = 2, .seed = Seed::from_number(1)});
  EXPECT_EQ(found.candidates, 12);
  EXPECT_GT(found.members.auc.mean, 0.75);
}

}  // namespace
}  // namespace graphveil::attack::lira_test
