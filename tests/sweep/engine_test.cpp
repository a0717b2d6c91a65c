#include "graphveil/sweep/engine.h"

#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/sweep/results_file.h"
#include "tests/files/builders.h"

namespace graphveil::sweep::engine_test {
namespace {

namespace fs = std::filesystem;
using files::TemporaryFolder;

// Stands in for the program: prints an object, notes that it was called, makes files that it is told to make, and
// fails for seed 3.
constexpr const char* kProgram = R"(#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  *"-s 3"*) echo "graphveil: seed 3 is unlucky" >&2; exit 2;;
  "data generate "*) echo made > "$3";;
esac
echo "{\"method\": \"$2\", \"relation\": \"node\", \"epsilon\": 1, \"peak_memory_mb\": 500,"
echo " \"test_accuracy\": {\"mean\": 0.5}}"
)";

struct Fixture {
  TemporaryFolder folder;
  EngineSettings settings;
  Fixture() {
    settings.program = folder.write("program", kProgram);
    ::chmod(settings.program.c_str(), 0755);
    settings.folder = folder.path("sweep");
    settings.data_folder = folder.path("");
    settings.jobs = 2;
    folder.write("a.npz", "data");
    ::setenv("CALLS", folder.path("calls").c_str(), 1);
  }
  int64_t calls() const {
    if (!fs::exists(folder.path("calls"))) return 0;
    const std::string text = files::read_bytes(folder.path("calls"));
    return std::count(text.begin(), text.end(), '\n');
  }
};

Plan plan(const std::string& more = "") {
  return parse_plan("[grid]\nmethods = [\"lap\", \"mlp-dp\"]\ngraphs = [\"a.npz\"]\nepsilon = [1]\nseeds = 4\n" + more,
                    "p.toml", Size::Full);
}

TEST(RunPlan, RunsEverythingOnceAndRecordsFailures) {
  const Fixture f;
  SweepState last;
  const Swept swept = run_plan(plan(), f.settings, [&](const SweepState& state) { last = state; });
  EXPECT_EQ(swept.results.size(), 8u);
  EXPECT_EQ(last.done, 6);
  EXPECT_EQ(last.failed, 2);
  EXPECT_EQ(f.calls(), 8);
  for (const auto& [id, result] : swept.results) {
    EXPECT_EQ(result.done, result.seed != 3);
    EXPECT_EQ(result.error, result.done ? "" : "seed 3 is unlucky");
  }
  EXPECT_FALSE(fs::exists(f.settings.folder + "/running"));
  const std::string calls = files::read_bytes(f.folder.path("calls"));
  EXPECT_NE(calls.find(" --json --threads 1\n"), std::string::npos);
}

TEST(RunPlan, GoesOnWhereItStoppedAndTriesFailuresAgainOnlyWhenAsked) {
  Fixture f;
  run_plan(plan(), f.settings, nullptr);
  run_plan(plan(), f.settings, nullptr);
  EXPECT_EQ(f.calls(), 8);
  f.settings.retry = true;
  run_plan(plan(), f.settings, nullptr);
  EXPECT_EQ(f.calls(), 10);
  EXPECT_EQ(read_results(f.settings.folder + "/results.jsonl").lines.size(), 8u);
}

TEST(RunPlan, SkipsAMissingGraphInWords) {
  const Fixture f;
  const Plan two =
      parse_plan("[grid]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\", \"none.npz\"]\nseeds = 2\n", "p.toml", Size::Full);
  const Swept swept = run_plan(two, f.settings, nullptr);
  EXPECT_EQ(swept.results.size(), 2u);
  ASSERT_EQ(swept.skipped.size(), 1u);
  EXPECT_EQ(swept.skipped[0].path, "none.npz");
  EXPECT_EQ(swept.skipped[0].runs, 2);
}

TEST(RunPlan, MakesFilesBeforeTheRunsThatReadThem) {
  const Fixture f;
  const Plan made =
      parse_plan("prepare = [\"data generate g.gvg --seed 1\"]\n[[run]]\ncommand = \"train lap --data g.gvg -s 1\"\n",
                 "p.toml", Size::Full);
  const Swept swept = run_plan(made, f.settings, nullptr);
  EXPECT_EQ(swept.results.size(), 2u);
  EXPECT_TRUE(fs::exists(f.settings.folder + "/files/g.gvg"));
  EXPECT_TRUE(files::read_bytes(f.folder.path("calls")).starts_with("data generate g.gvg"));
}

TEST(RunPlan, WhatNeedsAFailedStepFailsToo) {
  const Fixture f;
  const Plan made =
      parse_plan("prepare = [\"data generate g.gvg -s 3\"]\n[[run]]\ncommand = \"train lap --data g.gvg -s 1\"\n",
                 "p.toml", Size::Full);
  const Swept swept = run_plan(made, f.settings, nullptr);
  ASSERT_EQ(swept.results.size(), 2u);
  EXPECT_FALSE(swept.results.at(made.runs[0].id).done);
  EXPECT_EQ(f.calls(), 1);
}

// Runs take 500 MB each, as the first one showed: with room for one, no two are at work together.
TEST(RunPlan, StaysWithinItsMemory) {
  Fixture f;
  f.settings.memory = int64_t{700} << 20;
  f.settings.jobs = 4;
  f.folder.write("program",
                 "#!/bin/sh\nmkdir \"$CALLS.busy\" 2>/dev/null || echo crowd >> \"$CALLS.crowd\"\nsleep 0.03\n"
                 "rmdir \"$CALLS.busy\"\necho '{\"peak_memory_mb\": 500}'\n");
  ::chmod(f.settings.program.c_str(), 0755);
  const std::string text = "[grid]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\"]\nseeds = ";
  run_plan(parse_plan(text + "1\n", "p.toml", Size::Full), f.settings, nullptr);
  run_plan(parse_plan(text + "6\n", "p.toml", Size::Full), f.settings, nullptr);
  EXPECT_FALSE(fs::exists(f.folder.path("calls.crowd")));
  f.settings.memory = 0;
  run_plan(parse_plan(text + "14\n", "p.toml", Size::Full), f.settings, nullptr);
  EXPECT_TRUE(fs::exists(f.folder.path("calls.crowd")));
}

}  // namespace
}  // namespace graphveil::sweep::engine_test
