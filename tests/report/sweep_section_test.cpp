#include "graphveil/report/sweep_section.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/files/builders.h"
#include "tests/report/result_lines.h"

namespace graphveil::report::sweep_section_test {
namespace {

TEST(SweepSection, HasGroupsRunsAndFailures) {
  const files::TemporaryFolder folder;
  nlohmann::ordered_json failed = made_line({.label = "dpgnn"});
  failed["status"] = "failed";
  failed["error"] = "too many edges";
  const ResultsFile file = read_results(folder.write(
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

}  // namespace
}  // namespace graphveil::report::sweep_section_test
