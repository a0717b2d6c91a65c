#include "graphveil/sweep/plan.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/base/error.h"
#include "tests/files/builders.h"

namespace graphveil::sweep::plan_test {
namespace {

constexpr const char* kGrid = R"(title = "Two methods"
[grid]
methods = ["lap", "gap-ndp"]
graphs = ["a.npz"]
epsilon = [1, 4]
seeds = 3
[grid.options]
split = "80/0/20"
[quick]
seeds = 1
epsilon = 4
options = { split = "75/10/15" }
)";

std::string error_of(const std::string& text) {
  try {
    parse_plan(text, "p.toml", Size::Full);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no error";
}

TEST(ParsePlan, HasTwoSizes) {
  const Plan full = parse_plan(kGrid, "p.toml", Size::Full), quick = parse_plan(kGrid, "p.toml", Size::Quick);
  EXPECT_EQ(full.title, "Two methods");
  EXPECT_EQ(full.name, "p");
  EXPECT_EQ(full.runs.size(), 12u);
  ASSERT_EQ(quick.runs.size(), 2u);
  EXPECT_EQ(join_words(quick.runs[0].words), "train lap --data a.npz -e 4 --split 75/10/15 -s 1");
}

TEST(ParsePlan, TakesSeveralGrids) {
  const std::string one = "[[grid]]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\"]\n",
                    two =
                        "[[grid]]\nmethods = "
                        "[\"lap --protect-degree 5\"]\ngraphs = [\"b.npz\"]\nepsilon = [1, 2]\n";
  EXPECT_EQ(parse_plan(one + two, "p.toml", Size::Full).runs.size(), 3u);
  EXPECT_EQ(error_of(one + "[[grid]]\ngraphs = [\"b.npz\"]\n"), "p.toml: line 4: [[grid]] needs 'methods'");
}

TEST(ParsePlan, NamesFileLineAndKeyOfAMistake) {
  EXPECT_EQ(error_of("title = \"x\"\n[grid]\nmethod = [\"lap\"]\n"), "p.toml: line 2: [grid] needs 'methods'");
  EXPECT_EQ(error_of("titel = \"x\"\n[grid]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\"]\n"),
            "p.toml: line 1: the plan has no 'titel'; did you mean 'title'?");
  EXPECT_EQ(error_of("[grid]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\"]\nseed = 4\n"),
            "p.toml: line 4: [grid] has no 'seed'; did you mean 'seeds'?");
  EXPECT_EQ(error_of("[grid]\nmethods = [\"lap\"]\ngraphs = [\"a.npz\"]\nseeds = 0\n"),
            "p.toml: line 4: 'seeds' must be a count from 1 to 100000, or a list of whole numbers from 0");
  EXPECT_EQ(error_of("title = \"x\"\n"), "p.toml: line 1: the plan has nothing to run: give [grid], [[run]] or rows");
  EXPECT_NE(error_of("[grid]\nmethods = [\"lapp\"]\ngraphs = [\"a.npz\"]\n").find("lapp"), std::string::npos);
  EXPECT_NE(error_of("title = \n").find("p.toml: line 1"), std::string::npos);
  EXPECT_NE(error_of("[quick]\nseedz = 1\n[grid]\nmethods = [\"lap\"]\ngraphs = [\"a\"]\n").find("'seedz'"),
            std::string::npos);
  EXPECT_NE(error_of("metric = \"acuracy\"\n[grid]\nmethods = [\"lap\"]\ngraphs = [\"a\"]\n").find("'accuracy'"),
            std::string::npos);
}

TEST(ParsePlan, TakesCommandsOfOnesOwn) {
  const Plan plan = parse_plan(R"(prepare = ["data generate g.gvg --preset tiny --nodes 900 --seed 1"]
[[run]]
row = "by hand"
command = "graphveil train lap --data g.gvg -e 2 -r 5 -s 1"
paper = 80.5
paper_std = 0.5
[[run]]
command = "attack membership gap-inf --data g.gvg"
measures = "members.auc"
seeds = [4, 5]
[quick]
set = { r = 1, nodes = 100 }
words = "--quick"
)",
                               "p.toml", Size::Quick);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(join_words(plan.steps[0].words), "data generate g.gvg --preset tiny --nodes 100 --seed 1");
  ASSERT_EQ(plan.runs.size(), 3u);
  EXPECT_EQ(join_words(plan.runs[0].words), "train lap --data g.gvg -e 2 -r 1 -s 1 --quick");
  EXPECT_EQ(plan.runs[0].after, std::vector<size_t>{0});
  EXPECT_EQ(plan.runs[2].seed, 5);
  EXPECT_EQ(plan.runs[2].measures, std::vector<std::string>{"members.auc"});
  ASSERT_EQ(plan.rows.size(), 1u);
  EXPECT_EQ(plan.rows[0].paper_mean, 80.5);
  EXPECT_EQ(plan.rows[0].sound->run, plan.runs[0].id);
}

TEST(ParsePlan, WordsOfAMethodReplaceWhatIsThere) {
  const Plan plan = parse_plan(R"(
[[run]]
command = "train dpgnn --steps 300 --data g.gvg -e 2 -s 1"
[[run]]
command = "train gnn-inf --data g.gvg -s 1"
[[run]]
command = "train mlp --data g.gvg -s 1"
[quick]
words = { dpgnn = "--steps 20 --quick", gnn-inf = "--steps 30" }
)",
                               "p.toml", Size::Quick);
  ASSERT_EQ(plan.runs.size(), 3u);
  EXPECT_EQ(join_words(plan.runs[0].words), "train dpgnn --steps 20 --data g.gvg -e 2 -s 1 --quick");
  EXPECT_EQ(join_words(plan.runs[1].words), "train gnn-inf --data g.gvg -s 1 --steps 30");
  EXPECT_EQ(join_words(plan.runs[2].words), "train mlp --data g.gvg -s 1");
}

// What ran is what is named: a smaller graph in the place of the plan's is called by its own size.
TEST(ParsePlan, MadeGraphsAreNamedByTheSizeTheyGet) {
  const std::string text = R"(prepare = ["data generate citation-60000-7.gvg --preset citation --nodes 60000 --seed 7"]
[grid]
methods = ["lap"]
graphs = ["citation-60000-7.gvg", "a.npz"]
[[run]]
command = "train mlp --data citation-60000-7.gvg -s 1"
[quick]
set = { nodes = 3000 }
)";
  const Plan full = parse_plan(text, "p.toml", Size::Full), quick = parse_plan(text, "p.toml", Size::Quick);
  EXPECT_EQ(full.runs[0].graph, "citation-60000-7");
  EXPECT_EQ(join_words(quick.steps[0].words),
            "data generate citation-3000-7.gvg --preset citation --nodes 3000 --seed 7");
  EXPECT_EQ(quick.runs[0].graph, "citation-3000-7");
  EXPECT_EQ(quick.runs[1].graph, "a");
  EXPECT_EQ(join_words(quick.runs[2].words), "train mlp --data citation-3000-7.gvg -s 1");
  EXPECT_NE(quick.runs[0].id, full.runs[0].id);
}

TEST(ReadPlan, TakesRowsOfAPaperFromTheFileThatHasThem) {
  const files::TemporaryFolder folder;
  folder.write(
      "results/rows.jsonl",
      R"({"row": "Table 1, a", "measures": "test_accuracy", "paper_mean": 70, "paper_std": null, "graph": "x",)"
      R"( "stands_in_for": "y", "generate": ["graphveil data generate g.gvg --preset tiny --seed 1"],)"
      R"( "published": {"command": "graphveil train lap --data g.gvg -r 5 -s 1",)"
      R"( "minus": "graphveil train mlp --data g.gvg -r 5 -s 1"}, "sound": null})"
      "\n"
      R"({"row": "Table 10, b", "measures": "m", "paper_mean": 1, "paper_std": 2, "graph": "x",)"
      R"( "published": {"command": "graphveil train lap --data g.gvg -s 1"}, "sound": null})"
      "\n");
  const std::string path = folder.write("plans/p.toml", "rows = \"../results/rows.jsonl\"\nonly = [\"Table 1\"]\n");
  const Plan plan = read_plan(path, Size::Full);
  ASSERT_EQ(plan.rows.size(), 1u);
  EXPECT_EQ(plan.rows[0].graph, "x for y");
  EXPECT_TRUE(plan.rows[0].percent);
  ASSERT_EQ(plan.runs.size(), 2u);
  EXPECT_EQ(plan.rows[0].published->minus, plan.runs[1].id);
  EXPECT_EQ(plan.steps.size(), 1u);
  folder.write("plans/graph.toml", "rows = \"../results/rows.jsonl\"\nonly = [\"b, x\"]\n");
  const Plan by_graph = read_plan(folder.path("plans/graph.toml"), Size::Full);
  ASSERT_EQ(by_graph.rows.size(), 1u);
  EXPECT_EQ(by_graph.rows[0].row, "Table 10, b");
  folder.write("plans/none.toml", "rows = \"../results/rows.jsonl\"\nonly = [\"Table 7\"]\n");
  EXPECT_THROW(read_plan(folder.path("plans/none.toml"), Size::Full), Error);
  EXPECT_THROW(read_plan(folder.path("plans"), Size::Full), Error);
}

TEST(ReadPlan, ARowOfSeveralGraphsIsOneRowForEach) {
  const files::TemporaryFolder folder;
  folder.write(
      "rows.jsonl",
      R"({"row": "Table 1, a", "measures": "test_accuracy", "paper_mean": 70, "paper_std": null, "graph": "x",)"
      R"( "stands_in_for": "y", "each": ["b", "c"], "published": {"command": "graphveil train lap --data)"
      R"( ${each}/${each}.gvg -s 1", "minus": "graphveil train mlp --data ${each}/${each}.gvg -s 1"}, "sound": null})"
      "\n");
  const Plan both = read_plan(folder.write("both.toml", "rows = \"rows.jsonl\"\n"), Size::Full);
  ASSERT_EQ(both.rows.size(), 2u);
  EXPECT_EQ(both.rows[1].row, "Table 1, a");
  EXPECT_EQ(both.rows[1].graph, "x, c for y");
  ASSERT_EQ(both.runs.size(), 4u);
  EXPECT_EQ(join_words(both.runs[2].words), "train lap --data c/c.gvg -s 1");
  EXPECT_EQ(join_words(both.runs[3].words), "train mlp --data c/c.gvg -s 1");
  const Plan one = read_plan(folder.write("one.toml", "rows = \"rows.jsonl\"\nonly = [\"x, b\"]\n"), Size::Full);
  ASSERT_EQ(one.rows.size(), 1u);
  EXPECT_EQ(one.rows[0].graph, "x, b for y");
}

// Every plan that we ship reads in both sizes, the quick one is no larger, and no row of a paper is without a plan.
TEST(ShippedPlans, ReadInBothSizesAndLeaveOutNoRow) {
  namespace fs = std::filesystem;
  const fs::path root = GRAPHVEIL_SOURCE_DIR;
  std::set<std::string> rows;
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "plans")) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    const Plan full = read_plan(entry.path().string(), Size::Full),
               quick = read_plan(entry.path().string(), Size::Quick);
    EXPECT_LE(quick.runs.size(), full.runs.size()) << entry.path();
    for (const PaperRow& row : full.rows) rows.insert(full.paper + ": " + row.row);
  }
  EXPECT_GT(seen, 40);
  for (const auto& entry : fs::directory_iterator(root / "results/reproduce")) {
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json row = nlohmann::json::parse(line);
      const std::string name = row["paper"].get<std::string>() + ": " + row["row"].get<std::string>();
      EXPECT_TRUE(rows.contains(name)) << "no plan has " << name;
    }
  }
}

// A method with its options, whatever their order and by whichever of their names.
std::string experiment_of(const std::string& command) {
  const sweep::Run run = make_run(split_words(command));
  std::map<std::string, std::string> options = run.options;
  for (const auto& [letter, name] : {std::pair{"d", "delta"}, {"r", "repeats"}}) {
    if (auto node = options.extract(letter)) options[name] = node.mapped();
  }
  std::string text =
      run.method + " " + run.data + " " + (run.method == "mlp" ? "" : std::to_string(run.epsilon.value_or(0)));
  for (const auto& [name, value] : options) {
    text += " " + name + "=" + (name == "delta" ? std::to_string(std::log10(std::stod(value))) : value);
  }
  return text;
}

TEST(ShippedPlans, HaveTheLinesOfTheResultFilesThatTheyMake) {
  namespace fs = std::filesystem;
  const fs::path root = GRAPHVEIL_SOURCE_DIR;
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(root / "plans/results")) {
    std::set<std::string> planned;
    for (const sweep::Run& run : read_plan(entry.path().string(), Size::Full).runs) {
      planned.insert(experiment_of(join_words(run.words)));
    }
    std::ifstream lines(root / "results" / (entry.path().stem().string() + ".jsonl"));
    for (std::string text; std::getline(lines, text);) {
      const nlohmann::json line = nlohmann::json::parse(text);
      const std::string command = line["command"];
      if (line.contains("origin") || command.find(" -e E ") != std::string::npos) continue;
      EXPECT_TRUE(planned.contains(experiment_of(command))) << entry.path() << " has no " << command;
      ++seen;
    }
  }
  EXPECT_GT(seen, 300);
}

}  // namespace
}  // namespace graphveil::sweep::plan_test
