#include "graphveil/artifact/plan_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/neighbor_sum.h"

namespace graphveil::artifact::plan_json_test {
namespace {

mechanism::Plan some_plan() {
  mechanism::Plan plan;
  plan.add({account::Event("sum", account::Gaussian{2.5}, account::Poisson{0.5}, 3),
            bound::neighbor_sum_bound({.protect_degree = 40})});
  plan.add({account::Event("classes", account::Gaussian{4}), bound::class_sums_bound(2)});
  return plan;
}

TEST(PlanJson, ComesBackAsItWas) {
  const mechanism::Plan plan = some_plan();
  EXPECT_EQ(plan_from_json(nlohmann::json::parse(to_json(plan).dump()), "p"), plan);
  const mechanism::Plan sampled = plan.on_sample(0.25);
  EXPECT_EQ(plan_from_json(nlohmann::json::parse(to_json(sampled).dump()), "p"), sampled);
  EXPECT_EQ(plan_from_json(nlohmann::json::parse(to_json(sampled).dump()), "p").ledger(), sampled.ledger());
}

TEST(PlanJson, WhatIsNoPlanIsRefused) {
  const nlohmann::json good = nlohmann::json::parse(to_json(some_plan()).dump());
  for (const char* field : {"lines", "record_rate"}) {
    nlohmann::json bad = good;
    bad.erase(field);
    EXPECT_THROW(plan_from_json(bad, "p"), Error) << field;
  }
  nlohmann::json bad = good;
  bad["lines"][0]["sensitivity"] = "much";
  EXPECT_THROW(plan_from_json(bad, "p"), Error);
  bad = good;
  bad["lines"] = 3;
  EXPECT_THROW(plan_from_json(bad, "p"), Error);
}

}  // namespace
}  // namespace graphveil::artifact::plan_json_test
