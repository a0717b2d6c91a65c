#include "graphveil/run/totals.h"

#include <cmath>

#include "graphveil/account/accountant.h"
#include "graphveil/bound/class_sums.h"
#include "graphveil/bound/neighbor_sum.h"
#include "tests/run/small_run.h"

namespace graphveil::run::totals_test {
namespace {

using bound::Relation;

constexpr double kDelta = 1e-5;

// One Gaussian sum over neighbors, made for nodes of this degree.
Covered sum_for(double multiplier, std::optional<int64_t> degree, Relation relation = Relation::Node) {
  mechanism::Plan plan;
  plan.add({account::Event("sum", account::Gaussian{multiplier}),
            degree ? bound::neighbor_sum_bound({.protect_degree = *degree}) : bound::class_sums_bound(2)});
  return {.ledger = plan.ledger(), .plan = plan, .relation = relation, .predictions = relation, .degree = degree};
}

const Total* find(const std::vector<Total>& totals, std::optional<int64_t> degree) {
  for (const Total& total : totals) {
    if (total.degree == degree) return &total;
  }
  return nullptr;
}

// 1/multiplier^2 adds up; at degree d a sum that was made for k moves by sqrt(d/k) of what it was made for.
TEST(Totals, WhatCoversEveryDegreeCountsAtEveryDegree) {
  const std::vector<Covered> all{sum_for(2, std::nullopt), sum_for(3, 100)};
  const std::vector<Total> found = totals(all, kDelta);
  for (const auto& [degree, mu2] : {std::pair{int64_t{100}, 1.0 / 4 + 1.0 / 9},
                                    {int64_t{0}, 1.0 / 4},
                                    {int64_t{25}, 1.0 / 4 + 1.0 / 36},
                                    {int64_t{400}, 1.0 / 4 + 4.0 / 9}}) {
    const Total* total = find(found, degree);
    ASSERT_NE(total, nullptr) << degree;
    const double wanted = gaussian_epsilon(std::sqrt(mu2), kDelta);
    EXPECT_GE(*total->epsilon, wanted * (1 - 1e-9)) << degree;
    EXPECT_LE(*total->epsilon, wanted * 1.005) << degree;
    EXPECT_EQ(total->relation, Relation::Node);
  }
  EXPECT_EQ(found.front().degree, 100);
  EXPECT_EQ(covers(found.front()), "relation node, at most 100 outgoing edges");
}

TEST(Totals, TwoDegreesAreQuotedForTheSmaller) {
  const std::vector<Covered> all{sum_for(2, 100), sum_for(3, 25)};
  const Total total = total_of(all, kDelta);
  EXPECT_EQ(total.degree, 25);
  const double wanted = gaussian_epsilon(std::sqrt(1.0 / 16 + 1.0 / 9), kDelta);
  EXPECT_NEAR(*total.epsilon, wanted, 0.005 * wanted);
}

TEST(Totals, DifferentRelationsHaveNone) {
  const std::vector<Covered> all{sum_for(2, 100), sum_for(3, std::nullopt, Relation::UndirectedEdge)};
  EXPECT_THROW(totals(all, kDelta), Error);
  EXPECT_THROW(totals({}, kDelta), Error);
}

TEST(Totals, PredictionsOfAWeakerRelationAreNotCountedUnderTheStronger) {
  Covered training = sum_for(2, 100), inference = sum_for(3, 100);
  training.predictions = inference.predictions = Relation::Record;
  inference.parameters = false;
  const std::vector<Total> found = totals(std::vector{training, inference}, kDelta);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].relation, Relation::Record);
  EXPECT_NEAR(*found[0].epsilon, gaussian_epsilon(std::sqrt(1.0 / 4 + 1.0 / 9), kDelta), 0.01);
  EXPECT_EQ(found[1].relation, Relation::Node);
  EXPECT_EQ(found[1].what, "parameters");
  EXPECT_NEAR(*found[1].epsilon, gaussian_epsilon(0.5, kDelta), 0.01);
}

class LogTotals : public SmallRun {};

TEST_F(LogTotals, ALineThatNoPredictionWritesIsFound) {
  const artifact::Certificate c = train_one("gap-edp");
  EXPECT_EQ(read_log(folder_, c)->releases, 1);
  {
    budget::SpendLog log(path(artifact::kHolder, artifact::kReleases), budget::SpendLog::File::Existing);
    log.add({"inference", {account::Event("sum", account::Gaussian{1e6})}, c.delta, false, "somebody"});
  }
  EXPECT_THROW(read_log(folder_, c), Error);
  std::filesystem::remove_all(folder_ + "/" + artifact::kHolder);
  EXPECT_FALSE(read_log(folder_, c).has_value());
}

}  // namespace
}  // namespace graphveil::run::totals_test
