#include "graphveil/sweep/outputs.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/files/builders.h"

namespace graphveil::sweep::outputs_test {
namespace {

TEST(WriteOutputs, WritesWhatIsWishedForAndThePlan) {
  const files::TemporaryFolder folder;
  Grid grid;
  grid.methods = {"lap"};
  grid.graphs = {"a.npz"};
  const Plan plan = plan_of(grid, "t", "accuracy", "");
  Result result;
  result.id = plan.runs[0].id;
  result.done = true;
  result.scores["accuracy"] = 0.5;
  const std::map<std::string, Result> results{{result.id, result}};
  const Summary summary = summarize(plan, results, "accuracy", "");
  std::filesystem::create_directories(folder.path("s"));
  EXPECT_EQ(write_outputs(folder.path("s"), plan, summary, results, {}).size(), 2u);
  EXPECT_EQ(files::read_bytes(folder.path("s/plan.toml")), plan.text);
  EXPECT_FALSE(std::filesystem::exists(folder.path("s/table.tex")));
  write_outputs(folder.path("s"), plan, summary, results, {.csv = true, .tex = true, .svg = true});
  for (const char* name : {"results.csv", "table.tex", "accuracy.svg", "table.md"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.path("s/") + name)) << name;
  }
}

}  // namespace
}  // namespace graphveil::sweep::outputs_test
