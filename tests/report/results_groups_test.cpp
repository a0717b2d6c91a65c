#include "graphveil/report/results_groups.h"

#include <gtest/gtest.h>

#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

namespace graphveil::report::results_groups_test {
namespace {

ResultLines read(const std::string& text) {
  const files::TemporaryFolder folder;
  return sweep::read_results(folder.write("results.jsonl", text));
}

// A series over seeds 0, 1, ... with these accuracies.
std::string series(MadeLine line, const std::vector<double>& accuracies) {
  std::string text;
  for (line.seed = 0; const double accuracy : accuracies) {
    line.accuracy = accuracy;
    text += made_text(line);
    ++line.seed;
  }
  return text;
}

TEST(ResultsGroups, SeedsOfOneSettingAreOneGroup) {
  const ResultLines file = read(series({.epsilon = 8.0}, {0.6, 0.8}) + series({.epsilon = 1.0}, {0.1, 0.2, 0.3}) +
                                series({.label = "mlp", .epsilon = std::nullopt}, {0.5}));
  const std::vector<ResultGroup> groups = grouped(file);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(file.lines[groups[0].first].epsilon, 1) << "epsilon rises";
  EXPECT_EQ(groups[0].lines.size(), 3u);
  EXPECT_NEAR(groups[0].score("accuracy")->mean, 0.2, 1e-12);
  // t(0.975, 2) = 4.302653 of the standard error 0.1 / sqrt(3).
  EXPECT_NEAR(*groups[0].score("accuracy")->high, 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(groups[1].score("accuracy")->mean, 0.7, 1e-12);
  EXPECT_EQ(groups[1].confusion[0], (std::vector<int64_t>{16, 4})) << "summed";
  EXPECT_NEAR(groups[1].classes[1].recall, 0.2, 1e-12);
  EXPECT_EQ(groups[1].classes[1].support, 20);
  EXPECT_FALSE(groups[2].score("accuracy")->low) << "one run has no interval";
  EXPECT_FALSE(groups[2].score("roc_auc")) << "was not measured";
}

TEST(ResultsGroups, ASeriesSaysWhatTellsItFromOthersOfItsLabel) {
  const ResultLines file = read(made_text({}) + made_text({.relation = "edge"}) + made_text({.label = "mlp-dp"}));
  const std::vector<ResultGroup> groups = grouped(file);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].series, "lap (node up to 100 edges)");
  EXPECT_EQ(groups[1].series, "lap (edge)");
  EXPECT_EQ(groups[2].series, "mlp-dp");
}

TEST(ResultsGroups, TheBestIsJudgedSeedBySeed) {
  // Seeds differ far more than methods do: only pairs tell that b is behind, and that c is not shown to be.
  const ResultLines file =
      read(series({.label = "a"}, {0.50, 0.60, 0.70, 0.80}) + series({.label = "b"}, {0.48, 0.58, 0.68, 0.78}) +
           series({.label = "c"}, {0.55, 0.52, 0.75, 0.70}) +
           series({.label = "e", .relation = "edge"}, {0.9, 0.9, 0.9, 0.9}) +
           series({.label = "p", .accounting = "published"}, {0.9, 0.9, 0.9, 0.9}));
  const std::vector<ResultGroup> groups = grouped(file);
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(groups[0].standing, Standing::Best);
  EXPECT_EQ(groups[1].standing, Standing::Behind);
  EXPECT_EQ(groups[2].standing, Standing::WithinNoise);
  EXPECT_EQ(groups[3].standing, Standing::None) << "another promise";
  EXPECT_EQ(groups[4].standing, Standing::None) << "no proof";
}

TEST(ResultsGroups, OneSeedShowsNothing) {
  const ResultLines file =
      read(made_text({.label = "a", .accuracy = 0.9}) + made_text({.label = "b", .accuracy = 0.1}));
  EXPECT_EQ(grouped(file)[1].standing, Standing::WithinNoise);
}

TEST(ResultsGroups, FailedRunsAreCountedWhereTheyBelong) {
  nlohmann::ordered_json failed = made_line({.seed = 9});
  failed["status"] = "failed";
  failed["relation"] = nullptr;  // it never came to know
  failed["delta"] = nullptr;
  const ResultLines file = read(made_text({}) + failed.dump() + "\n");
  const std::vector<ResultGroup> groups = grouped(file);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].failed, 1);
  EXPECT_EQ(groups[0].lines.size(), 1u);
}

TEST(ResultsGroups, TheMainScoreIsAccuracyWhereThereIsOne) {
  EXPECT_EQ(main_score(read(made_text({}))), "accuracy");
  nlohmann::ordered_json line = made_line({});
  line["scores"] = {{"tpr", 0.5}, {"auc", 0.7}};
  EXPECT_EQ(main_score(read(line.dump() + "\n")), "auc");
}

}  // namespace
}  // namespace graphveil::report::results_groups_test
