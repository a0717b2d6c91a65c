#include "graphveil/run/tune.h"

#include <algorithm>
#include <set>

#include "graphveil/run/train.h"
#include "tests/run/small_run.h"

namespace graphveil::run::tune_test {
namespace {

bool same_model(const TrainOutcome& a, const TrainOutcome& b) {
  const nn::State &x = a.trained.output.model.value(), &y = b.trained.output.model.value();
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), [](const auto& p, const auto& q) {
           return p.first == q.first && p.second.bytes == q.second.bytes;
         });
}

// The trial that was kept is the first of the best.
void expect_best_is_kept(const std::vector<Trial>& trials) {
  const auto best =
      std::max_element(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.score < b.score; });
  for (const Trial& trial : trials) EXPECT_EQ(trial.kept, &trial == &*best);
}

std::string value(const Experiment& experiment, const char* option) {
  return experiment.options().find(option)->text();
}

TEST(Tune, AtEdgeLevelSettingsShareOneRelease) {
  const OptionList seeded{{"relation", "edge"}, {"epsilon", "4"}, {"seed", "3"}};
  OptionList tuned = seeded;
  tuned.emplace_back("tune", "6");
  for (const char* name : {"lap", "gap-edp", "progap-edp", "lpgnet", "sage-edp", "mlp"}) {
    const TrainOutcome plain = train_quick(name, seeded), best = train_quick(name, tuned);
    ASSERT_EQ(best.trials.size(), 1u);
    EXPECT_EQ(best.trials[0].size(), 6u) << name;
    EXPECT_TRUE(best.trials[0][0].values.empty()) << "the options as they were come first";
    expect_best_is_kept(best.trials[0]);
    EXPECT_EQ(best.certificate.plan, plain.certificate.plan) << name;
    EXPECT_EQ(best.certificate.epsilon, plain.certificate.epsilon) << name;
    // The first one is the run that there would have been.
    EXPECT_EQ(best.trials[0][0].score, plain.evaluations[0].val_accuracy) << name;
    EXPECT_EQ(best.evaluations[0].val_accuracy,
              std::max_element(best.trials[0].begin(), best.trials[0].end(), [](auto& a, auto& b) {
                return a.score < b.score;
              })->score);
    // The model is that of the options that the config file says.
    ASSERT_NE(best.tuned, nullptr);
    for (const Trial& trial : best.trials[0]) {
      if (!trial.kept) continue;
      if (trial.values.empty()) {
        EXPECT_TRUE(same_model(best, plain)) << name;
      }
      for (const auto& [option, chosen] : trial.values) EXPECT_EQ(value(*best.tuned, option.c_str()), chosen) << name;
    }
  }
}

// Every value once, each with noise of its own by the paper's arithmetic.
TEST(Tune, AsPublishedTriesAllHops) {
  const TrainOutcome outcome = train_quick(
      "gap-edp", {{"accounting", "published"}, {"tune", "9"}, {"tune-over", "hops"}, {"epsilon", "4"}, {"seed", "3"}});
  ASSERT_EQ(outcome.trials[0].size(), 5u);
  expect_best_is_kept(outcome.trials[0]);
  std::set<method::OptionValues> seen;
  for (const Trial& trial : outcome.trials[0]) EXPECT_TRUE(seen.insert(trial.values).second);
  ASSERT_NE(outcome.tuned, nullptr);
  EXPECT_EQ(std::to_string(outcome.certificate.plan.lines()[0].event.count()), value(*outcome.tuned, "hops"));
  EXPECT_FALSE(outcome.certificate.valid());
  EXPECT_EQ(outcome.certificate.published_epsilon, 4);
  EXPECT_EQ(
      train_quick("gap-edp", {{"accounting", "published"}, {"tune", "2"}, {"tune-over", "hops"}}).trials[0].size(), 2u);
}

// Where nothing is promised hops are as free as anything.
TEST(Tune, WithoutAPromiseHopsAreTriedToo) {
  const TrainOutcome outcome = train_quick("gap-inf", {{"tune", "5"}, {"tune-over", "hops"}, {"seed", "3"}});
  EXPECT_EQ(outcome.trials[0].size(), 5u);
  expect_best_is_kept(outcome.trials[0]);
}

TEST(Tune, SettingsDoNotRepeat) {
  const TrainOutcome outcome = train_quick("mlp", {{"tune", "12"}, {"tune-over", "learning-rate,dropout"}});
  std::set<method::OptionValues> seen;
  for (const Trial& trial : outcome.trials[0]) EXPECT_TRUE(seen.insert(trial.values).second);
  EXPECT_EQ(seen.size(), 10u);  // nine, and the options as they were
}

TEST(Tune, WithoutValidationNodesTrainingNodesJudgeInTurn) {
  const TrainOutcome outcome =
      train_quick("lap", {{"relation", "edge"}, {"split", "80/0/20"}, {"tune", "3"}, {"epsilon", "8"}});
  EXPECT_EQ(outcome.val_nodes, 0);
  for (const Trial& trial : outcome.trials[0]) {
    EXPECT_GT(trial.score, 0);
    EXPECT_LE(trial.score, 1);
  }
  EXPECT_TRUE(outcome.certificate.valid());
  EXPECT_THROW(train_quick("mlp-dp", {{"split", "80/0/20"}, {"tune", "3"}}), Error);
}

TEST(Tune, MethodsThatPromiseNothingAreSearchedToo) {
  const TrainOutcome outcome = train_quick("sage-inf", {{"tune", "4"}});
  EXPECT_EQ(outcome.trials[0].size(), 4u);
  EXPECT_FALSE(outcome.certificate.valid());
}

TEST(Tune, AtNodeLevelTheNumberOfTrialsIsRandomAndOneIsReleased) {
  std::set<size_t> numbers;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    const TrainOutcome outcome =
        train_quick("mlp-dp", {{"epsilon", "8"}, {"tune", "4"}, {"seed", seed}, {"split", "50/40/10"}});
    numbers.insert(outcome.trials[0].size());
    expect_best_is_kept(outcome.trials[0]);
    const artifact::Certificate& c = outcome.certificate;
    EXPECT_TRUE(c.valid());
    EXPECT_LE(*c.epsilon, 8);
    EXPECT_EQ(c.plan, outcome.trained.spent);
    EXPECT_TRUE(c.plan.trials().has_value());
    const auto kept = std::find_if(outcome.trials[0].begin(), outcome.trials[0].end(), [](auto& t) { return t.kept; });
    for (const auto& [option, chosen] : kept->values) EXPECT_EQ(value(*outcome.tuned, option.c_str()), chosen);
  }
  EXPECT_GT(numbers.size(), 2u);
}

// Two trials with the same setting get different scores: each has noise of its own.
TEST(Tune, TrialsShareNoNoise) {
  const TrainOutcome outcome =
      train_quick("mlp-dp", {{"epsilon", "1"}, {"tune", "40"}, {"seed", "2"}, {"tune-over", "learning-rate"}});
  std::set<double> scores;
  for (const Trial& trial : outcome.trials[0]) EXPECT_TRUE(scores.insert(trial.score).second);
  EXPECT_GT(scores.size(), 3u);
}

// What the public sees does not tell how many trials there were, nor what they scored.
class TunedRun : public SmallRun {};
TEST_F(TunedRun, OnlyTheHolderSeesTheTrials) {
  train_one("mlp-dp", {{"tune", "4"}, {"epsilon", "8"}});
  for (const char* file : {artifact::kCertificate, artifact::kCertificatePage, artifact::kConfig}) {
    EXPECT_EQ(read(artifact::kRelease, file).find("\"score\": 0"), std::string::npos) << file;
    EXPECT_EQ(read(artifact::kRelease, file).find("\"kept\""), std::string::npos) << file;
  }
  EXPECT_NE(read(artifact::kHolder, artifact::kMetrics).find("\"kept\":true"), std::string::npos);
  EXPECT_NE(read(artifact::kHolder, artifact::kMetrics).find("\"trials\""), std::string::npos);
  EXPECT_NE(read(artifact::kRelease, artifact::kConfig).find("tune = \"4\""), std::string::npos);
}

TEST(Tune, ScoresDoNotReadPropagatedPredictions) {
  const OptionList options{{"relation", "edge"}, {"seed", "3"}, {"tune", "3"}};
  OptionList propagated = options;
  propagated.emplace_back("propagate", "2");
  const TrainOutcome a = train_quick("lap", options), b = train_quick("lap", propagated);
  for (size_t i = 0; i < a.trials[0].size(); ++i) EXPECT_EQ(a.trials[0][i].score, b.trials[0][i].score);
}

}  // namespace
}  // namespace graphveil::run::tune_test
