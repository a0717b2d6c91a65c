#include "graphveil/run/rehearse.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "graphveil/graph/generate.h"
#include "tests/run/small_run.h"

namespace graphveil::run::rehearse_test {
namespace {

// Two graphs of the same public numbers: other edges, labels and features, the same nodes without a label.
InputData other_people(const graph::Dataset& data) {
  graph::Dataset other = tiny(99);
  std::vector<int32_t> labels(other.labels.begin(), other.labels.end());
  for (int64_t v = 0; v < data.nodes(); ++v) {
    if (data.labels[v] == graph::kUnlabeled) labels[static_cast<size_t>(v)] = graph::kUnlabeled;
  }
  other.labels = SharedArray<int32_t>(std::move(labels));
  return {std::move(other), std::nullopt};
}

graph::Dataset with_gaps() {
  graph::Dataset data = tiny();
  std::vector<int32_t> labels(data.labels.begin(), data.labels.end());
  for (size_t v = 0; v < labels.size(); v += 10) labels[v] = graph::kUnlabeled;
  data.labels = SharedArray<int32_t>(std::move(labels));
  return data;
}

// Whatever the private values are, a rehearsal comes out the same: it has read none of them.
TEST(Rehearse, ReadsNothingThatIsPrivate) {
  const graph::Dataset data = with_gaps();
  for (const char* method : {"lap", "mlp-dp"}) {
    const auto experiment = quick(method, {{"epsilon", "4"}});
    const Rehearsal mine = rehearse(*experiment, {data, std::nullopt});
    const Rehearsal theirs = rehearse(*experiment, other_people(data));
    ASSERT_EQ(mine.cases.size(), 3u);
    for (size_t i = 0; i < mine.cases.size(); ++i) {
      EXPECT_EQ(mine.cases[i].accuracy, theirs.cases[i].accuracy) << method;
      EXPECT_EQ(mine.cases[i].without_noise, theirs.cases[i].without_noise);
    }
    EXPECT_EQ(mine.majority, theirs.majority);
    EXPECT_EQ(mine.certificate.epsilon, theirs.certificate.epsilon);
  }
}

TEST(Rehearse, TheTwinHasThePublicNumbersOfTheData) {
  const graph::Dataset data = with_gaps();
  const graph::Dataset twin = made_up_twin(data, {}, Seed::from_number(1));
  EXPECT_EQ(twin.nodes(), data.nodes());
  EXPECT_EQ(twin.classes, data.classes);
  EXPECT_EQ(twin.features.cols(), data.features.cols());
  for (int64_t v = 0; v < data.nodes(); ++v) {
    EXPECT_EQ(twin.labels[v] == graph::kUnlabeled, data.labels[v] == graph::kUnlabeled) << v;
  }
  const double degree = static_cast<double>(twin.graph.edges()) / static_cast<double>(twin.nodes());
  EXPECT_NEAR(degree, 10, 2);
}

TEST(Rehearse, TheLargestClassOfTheTwinHasTheShareThatWasDeclared) {
  graph::Dataset data = graph::generate(graph::preset("tiny", 4000), Seed::from_number(1));
  for (const double share : {0.4, 0.72, 0.95}) {
    const graph::Dataset twin = made_up_twin(data, {.majority = share}, Seed::from_number(1));
    std::vector<double> counts(static_cast<size_t>(twin.classes));
    for (const int32_t label : twin.labels) counts[static_cast<size_t>(label)] += 1.0 / 4000;
    EXPECT_NEAR(*std::max_element(counts.begin(), counts.end()), share, 0.03);
  }
  EXPECT_THROW(made_up_twin(data, {.majority = 0.01}, Seed::from_number(1)), Error);
  EXPECT_THROW(made_up_twin(data, {.majority = 1}, Seed::from_number(1)), Error);
}

// The share of the largest class counts for what it is, and people who are easily told apart are told apart better.
TEST(Rehearse, GivesARangeAndComparesItWithTheLargestClass) {
  const graph::Dataset data = graph::generate(graph::preset("tiny", 3000), Seed::from_number(1));
  const auto experiment = Experiment::from("mlp-dp", {{"epsilon", "8"}});
  const Rehearsal r = rehearse(*experiment, {data, std::nullopt}, {.majority = 0.72});
  EXPECT_NEAR(r.majority, 0.72, 0.08);
  EXPECT_GT(r.cases.back().accuracy, r.majority + 0.03);
  EXPECT_LT(r.cases.front().accuracy, r.cases.back().accuracy - 0.03);
  EXPECT_LT(r.cases.front().accuracy, r.majority + 0.1) << "features that say little";
}

TEST(Rehearse, ASplitThatCameWithTheDataKeepsItsSizes) {
  graph::Dataset data = tiny();
  graph::Split split;
  for (int32_t v = 0; v < 60; ++v) (v < 20 ? split.train : v < 30 ? split.val : split.test).push_back(v);
  data.split = split;
  const Rehearsal r = rehearse(*quick("mlp-dp", {{"split", "file"}}), {data, std::nullopt});
  EXPECT_NEAR(static_cast<double>(r.certificate.facts.train_nodes) / static_cast<double>(data.nodes()), 1.0 / 3, 0.01);
}

TEST(Rehearse, SaysWhatItTookForGranted) {
  const Rehearsal guessed = rehearse(*quick("mlp-dp"), {tiny(), std::nullopt});
  EXPECT_NE(guessed.assumed.front().find("not declared"), std::string::npos);
  const Rehearsal told = rehearse(*quick("mlp-dp"), {tiny(), std::nullopt}, {.mean_degree = 4.0, .majority = 0.6});
  EXPECT_NE(told.assumed.front().find("as declared"), std::string::npos);
  EXPECT_NE(guessed.assumed[1].find("not declared"), std::string::npos);
  EXPECT_NE(told.assumed[1].find("60% of the people are of the largest class, as declared"), std::string::npos);
  EXPECT_THROW(rehearse(*quick("oneshot"), {tiny(), tiny(2)}), Error);
}

}  // namespace
}  // namespace graphveil::run::rehearse_test
