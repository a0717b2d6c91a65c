#include "graphveil/run/reserve.h"

#include "graphveil/run/predict.h"
#include "graphveil/run/totals.h"
#include "graphveil/run/verify.h"
#include "tests/run/small_run.h"

namespace graphveil::run::reserve_test {
namespace {

class Reserve : public SmallRun {};

int64_t lines_of(const mechanism::Plan& plan) { return static_cast<int64_t>(plan.lines().size()); }

TEST_F(Reserve, PlansSoManyInferencesBesideTheTraining) {
  const Ready three = ready("gap-ndp", {{"predictions", "3"}, {"noise-multiplier", "2"}});
  const Ready none = ready("gap-ndp", {{"noise-multiplier", "2"}});
  EXPECT_EQ(three.prepared.plan, none.prepared.plan) << "what a training draws stays the same";
  EXPECT_TRUE(none.prepared.reserved.empty());
  const mechanism::Plan one = none.experiment->method().inference_plan(2, none.prepared.setting);
  ASSERT_EQ(lines_of(three.prepared.reserved), lines_of(one));
  for (int64_t i = 0; i < lines_of(one); ++i) {
    const mechanism::PlanLine &later = three.prepared.reserved.lines()[i], &line = one.lines()[i];
    EXPECT_EQ(later.event, mechanism::with_count(line.event, 3 * line.event.count(), "later " + line.event.label()));
    EXPECT_EQ(later.bound, line.bound);
  }
}

// Gaussian noise alone: one pure composition, so the price is known in closed form.
TEST_F(Reserve, AllOfItIsCalibratedTogether) {
  const Ready four = ready("gap-edp", {{"predictions", "4"}, {"epsilon", "2"}});
  double squares = 0;
  for (const mechanism::Plan& plan : {four.prepared.plan, four.prepared.reserved}) {
    for (const mechanism::PlanLine& line : plan.lines()) {
      const double noise = std::get<account::Gaussian>(mechanism::mechanism_of(line.event).mechanism).noise_multiplier;
      squares += static_cast<double>(line.event.count()) / (noise * noise);
    }
  }
  EXPECT_NEAR(gaussian_epsilon(std::sqrt(squares), four.prepared.delta), 2, 0.01);
  const Ready none = ready("gap-edp", {{"epsilon", "2"}});
  EXPECT_NEAR(four.prepared.noise / none.prepared.noise, std::sqrt(5.0), 0.02) << "five times as many releases";
}

TEST_F(Reserve, IsDrawnFromFirstAndThenRefusedWithAPrice) {
  train_one("gap-ndp", {{"predictions", "2"}, {"epsilon", "2"}});
  const artifact::Certificate c = verify_files(folder_).certificate;
  EXPECT_EQ(reserved_predictions(c), 2);
  EXPECT_LE(*c.epsilon, 2);
  EXPECT_TRUE(verify_path(folder_).holds()) << verify_path(folder_).reasons.front();
  for (int64_t left : {1, 0}) {
    const Prediction p = predict(folder_, tiny(7), {});
    EXPECT_EQ(p.kind, PredictionKind::Released);
    EXPECT_EQ(p.reserved_left, left);
    EXPECT_EQ(p.epsilon, 0);
    EXPECT_NEAR(*p.epsilon_total, *c.epsilon, 1e-9);
  }
  EXPECT_TRUE(verify_path(folder_).holds());
  try {
    predict(folder_, tiny(8), {});
    FAIL() << "a third was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BudgetExceeded);
    EXPECT_NE(std::string(error.what()).find("2 predictions that were reserved are used up"), std::string::npos)
        << error.what();
  }
  const Prediction more = predict(folder_, tiny(8), {.total_epsilon = 100});
  EXPECT_FALSE(more.reserved_left);
  EXPECT_GT(*more.epsilon_total, *c.epsilon);
  EXPECT_GT(*more.epsilon, 0);
}

// Three of the log's entries where two were reserved: somebody edited one of the two.
TEST_F(Reserve, ALogWithMoreThanWasReservedIsRefused) {
  train_one("gap-ndp", {{"predictions", "2"}, {"epsilon", "2"}});
  const artifact::Certificate c = verify_files(folder_).certificate;
  std::vector<budget::Spending> entries =
      budget::read_spend_log((std::filesystem::path(folder_) / artifact::kHolder / artifact::kReleases).string());
  for (int i = 0; i < 2; ++i) entries.push_back({kReservedInference, {}, c.delta, false, "somebody"});
  EXPECT_EQ(covered_log(folder_, c, Experiment::from(c)->method(), entries).size(), 3u);
  entries.push_back(entries.back());
  EXPECT_THROW(covered_log(folder_, c, Experiment::from(c)->method(), entries), Error);
}

TEST_F(Reserve, OfADisjointGraphNothingIsDrawnFromIt) {
  train_one("gap-ndp", {{"predictions", "2"}, {"epsilon", "2"}});
  EXPECT_EQ(predict(folder_, tiny(7), {}).reserved_left, 1);
  EXPECT_FALSE(predict(folder_, tiny(9), {.total_epsilon = std::nullopt, .disjoint = true}).reserved_left);
}

// People who were declared apart and come again without: what they paid for themselves adds up with the rest.
TEST_F(Reserve, PeopleWhoWereDisjointAreNotFromThenOn) {
  train_one("gap-ndp", {{"predictions", "1"}, {"epsilon", "2"}});
  predict(folder_, tiny(9), {.total_epsilon = std::nullopt, .disjoint = true});
  EXPECT_THROW(predict(folder_, tiny(9), {}), Error);
  const Prediction p = predict(folder_, tiny(9), {.total_epsilon = 100});
  EXPECT_FALSE(p.reserved_left);
  EXPECT_GT(*p.epsilon_total, 2.05);
}

// Those who were declared apart may be in a graph that is read later: the training has not paid for them.
TEST_F(Reserve, IsNotDrawnFromAfterADisjointGraph) {
  train_one("gap-ndp", {{"predictions", "2"}, {"epsilon", "2"}});
  for (int i = 0; i < 2; ++i) predict(folder_, tiny(9), {.total_epsilon = 100, .disjoint = true});
  const Prediction later = predict(folder_, tiny(7), {.total_epsilon = 100});
  EXPECT_FALSE(later.reserved_left);
  EXPECT_GT(*later.epsilon_total, 2);
  EXPECT_THROW(predict(folder_, tiny(8), {.total_epsilon = 100, .joined = true}), Error);
}

TEST_F(Reserve, IsNothingWherePredictingIsFree) {
  const TrainOutcome outcome = train_quick("mlp-dp", {{"predictions", "12"}});
  EXPECT_EQ(outcome.later.kind, LaterPredictions::Kind::Free);
  EXPECT_EQ(outcome.later.reserved, 0);
  EXPECT_TRUE(reserved_part(outcome.certificate.plan).empty());
}

TEST_F(Reserve, TheTableRises) {
  const TrainOutcome outcome = train_quick("gap-ndp", {{"predictions", "4"}, {"epsilon", "3"}});
  EXPECT_EQ(outcome.later.kind, LaterPredictions::Kind::Charged);
  ASSERT_GE(outcome.later.table.size(), 5u);
  double before = 0;
  for (const LaterCost& row : outcome.later.table) {
    EXPECT_GT(*row.epsilon, before);
    before = *row.epsilon;
    EXPECT_EQ(row.reserved, row.predictions <= 4);
    if (row.predictions == 4) {
      EXPECT_NEAR(*row.epsilon, *outcome.certificate.epsilon, 1e-9);
    }
  }
}

TEST_F(Reserve, HasNoProofEverywhere) {
  for (const auto& [method, options] : std::vector<std::pair<std::string, OptionList>>{
           {"gnn-inf", {{"predictions", "2"}}},
           {"gap-ndp", {{"predictions", "2"}, {"tune", "2"}}},
           {"gap-edp", {{"predictions", "2"}, {"accounting", "published"}}}}) {
    EXPECT_THROW(train_quick(method, options), Error) << method;
  }
}

TEST_F(Reserve, FreePredictorsReadNoSums) {
  const std::vector<std::string> nodes = free_predictors(bound::Relation::Node);
  EXPECT_EQ(nodes, std::vector<std::string>{"mlp-dp"});
  EXPECT_EQ(free_predictors(bound::Relation::Edge), std::vector<std::string>{"mlp"});
}

}  // namespace
}  // namespace graphveil::run::reserve_test
