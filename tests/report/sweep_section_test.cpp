#include "graphveil/report/sweep_section.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

namespace graphveil::report::sweep_section_test {
namespace {

TEST(SweepSection, HasGroupsRunsAndFailures) {
  const files::TemporaryFolder folder;
  nlohmann::ordered_json failed = made_line({.label = "dpgnn"});
  failed["status"] = "failed";
  failed["error"] = "too many edges";
  const ResultLines file = sweep::read_results(folder.write(
      "first/results.jsonl",
      made_text({.accuracy = 0.123456}) + made_text({.label = "mlp", .epsilon = std::nullopt}) + failed.dump() + "\n"));
  const nlohmann::ordered_json section = sweep_section(file, grouped(file));
  EXPECT_EQ(section["name"], "first");
  EXPECT_EQ(section["score"], "accuracy");
  EXPECT_FALSE(section["unfinished"]);
  EXPECT_FALSE(section["releasable"]);
  ASSERT_EQ(section["groups"].size(), 2u);
  const auto& group = section["groups"][0];
  EXPECT_EQ(group["degree"], 100);
  EXPECT_EQ(group["score"]["mean"], 0.12346);
  EXPECT_TRUE(group["score"]["low"].is_null());
  EXPECT_EQ(group["classes"], (nlohmann::ordered_json{"a", "b"}));
  EXPECT_EQ(group["support"], (nlohmann::ordered_json{10, 10}));
  EXPECT_TRUE(group["edges"]);
  EXPECT_FALSE(section["groups"][1]["edges"]) << "mlp reads none";
  EXPECT_TRUE(section["groups"][1]["epsilon"].is_null());
  EXPECT_EQ(section["runs"][0], (nlohmann::ordered_json{0, 0, 0.12346, 0.4, 0.5}));
  ASSERT_EQ(section["failures"].size(), 1u);
  EXPECT_EQ(section["failures"][0]["error"], "too many edges");
}

TEST(SweepSection, HasWhatAttacksFound) {
  const files::TemporaryFolder folder;
  nlohmann::ordered_json line = made_line({.label = "B1, no privacy"});
  line["command"] = "attack lira b1 --models 8";
  line.erase("scores");
  line["outcome"] = {{"attack", "lira"},
                     {"method", "b1"},
                     {"epsilon", nullptr},
                     {"members",
                      {{"auc", {{"mean", 0.75}, {"std", 0.1}, {"ci95", {0.7, 0.8}}}},
                       {"tpr_at_1_percent_fpr", {{"mean", 0.25}, {"std", 0}, {"ci95", nullptr}}}}}};
  const ResultLines file = sweep::read_results(folder.write("a/results.jsonl", line.dump() + "\n"));
  const nlohmann::ordered_json section = sweep_section(file, grouped(file));
  EXPECT_TRUE(section["groups"].empty()) << "an attack is no training";
  ASSERT_EQ(section["attacks"].size(), 1u);
  const auto& attack = section["attacks"][0];
  EXPECT_EQ(attack["row"], "B1, no privacy");
  EXPECT_EQ(attack["graph"], "cora");
  EXPECT_EQ(attack["curves"][0]["name"], "members");
  EXPECT_EQ(attack["curves"][0]["auc"]["mean"], 0.75);
  EXPECT_EQ(attack["curves"][0]["auc"]["high"], 0.8);
  EXPECT_TRUE(attack["allowed_auc"].is_null());
  line["outcome"] = 3;
  const ResultLines wrong = sweep::read_results(folder.write("a/results.jsonl", line.dump() + "\n"));
  EXPECT_THROW(sweep_section(wrong, grouped(wrong)), Error);
}

TEST(SweepSection, SaysWhoIsNotBetterThanTheMajority) {
  const files::TemporaryFolder folder;
  std::string lines;
  for (int64_t seed = 0; seed < 3; ++seed) {
    lines += made_text({.seed = seed, .accuracy = 0.9 + 0.01 * static_cast<double>(seed)});
    lines += made_text({.label = "weak", .seed = seed, .accuracy = 0.49 + 0.01 * static_cast<double>(seed)});
  }
  const ResultLines file = sweep::read_results(folder.write("s/results.jsonl", lines));
  const nlohmann::ordered_json section = sweep_section(file, grouped(file));
  EXPECT_EQ(section["groups"][0]["beats_majority"], true);
  EXPECT_EQ(section["groups"][1]["beats_majority"], false);
}

}  // namespace
}  // namespace graphveil::report::sweep_section_test
