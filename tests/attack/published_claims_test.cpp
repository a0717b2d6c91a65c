#include "graphveil/attack/published_claims.h"

#include <gtest/gtest.h>

#include "graphveil/account/accountant.h"
#include "tests/attack/likelihood.h"

namespace graphveil::attack::published_claims_test {
namespace {

TEST(PublishedClaims, AreRefuted) {
  const std::vector<AuditRow> rows =
      audit_published_claims(4, 1e-3, {.most_trials = 4'000'000, .seed = Seed::from_number(1)});
  ASSERT_EQ(rows.size(), 4);
  for (const AuditRow& row : rows) EXPECT_TRUE(row.refuted()) << row.what << ": " << row.bound.low;
}

TEST(PublishedClaims, ANoisyPosteriorMovesByTwo) {
  expect_likelihood_ratios(*noisy_posterior_game(1, 0.3, 2), "posterior");
  const auto game = noisy_posterior_game(1, 1, 1);
  const AuditRow row = audit({"posterior", {game.get()}, 1, 2, 0}, {.trials = 200'000, .seed = Seed::from_number(1)});
  EXPECT_FALSE(row.refuted());
  EXPECT_GT(row.bound.low, 1.9);
}

TEST(PublishedClaims, WhatPrivGnnReleasesStandsAndWhatItArguesAboutFalls) {
  run::Experiment experiment("privgnn");
  experiment.set("noise", "laplace");
  experiment.set("sampling-rate", "0.3");
  experiment.set("queries", "4");
  experiment.set("epsilon", "4");
  experiment.set("delta", "1e-4");
  experiment.set("accounting", "published");
  const run::Prepared prepared =
      run::prepare(experiment, bound::Relation::Record,
                   {.nodes = 200, .train_nodes = 150, .features = 5, .classes = 3, .public_pool = 20});
  const std::vector<AuditRow> rows = audit_plan(prepared, {.draws = 4e6, .seed = Seed::from_number(1)});
  ASSERT_EQ(rows.size(), 2);
  EXPECT_FALSE(rows[0].refuted()) << rows[0].bound.low;  // only labels leave: the claim is true by luck
  EXPECT_TRUE(rows[1].refuted()) << rows[1].bound.low;
}

}  // namespace
}  // namespace graphveil::attack::published_claims_test
