// sweep and compare as a user has them: whole, stopped, killed at any moment, and under a budget book.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "tests/cli/journey.h"

namespace graphveil::cli::sweep_command_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Sweep : public Journey {
 protected:
  std::vector<json> lines(const std::string& folder) const {
    std::vector<json> out;
    std::istringstream text(files::read_bytes(folder_.path(folder + "/results.jsonl")));
    for (std::string line; std::getline(text, line);) out.push_back(json::parse(line));
    return out;
  }
  std::string plan(const std::string& seeds) {
    return folder_.write("plan.toml", "[grid]\nmethods = [\"lap --steps 5\", \"mlp-dp --steps 5\"]\ngraphs = [\"" +
                                          graph_ + "\"]\nepsilon = [1, 4]\n" + seeds + "\n");
  }
  // Starts, and kills after a while; whether it was still at work.
  bool killed_after(const std::string& arguments, double seconds) {
    const pid_t child = start(arguments);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    kill(child, SIGKILL);
    return ended(child) == -1;
  }
};

TEST_F(Sweep, CompareWritesItsTablesAndRunsNothingTwice) {
  const std::string command = "compare 'lap --steps 5,mlp-dp --steps 5,gap-inf --epochs 2' --data " + graph_ +
                              " -e 1,4 -r 3 --csv --tex --svg -q --json --out " + folder_.path("c");
  const Outcome first = run(folder_, command);
  ASSERT_EQ(first.exit_code, 0) << first.error;
  const std::vector<json> all = lines("c");
  EXPECT_EQ(all.size(), 3u * (2 + 2 + 1));
  for (const char* name : {"plan.toml", "table.md", "results.csv", "table.tex", "accuracy.svg"}) {
    EXPECT_TRUE(there(std::string("c/") + name)) << name;
  }
  const json summary = first.json();
  EXPECT_EQ(summary["cells"].size(), 5u);
  EXPECT_EQ(summary["failed"], 0);
  for (const json& cell : summary["cells"]) EXPECT_EQ(cell["values"].size(), 3u) << cell;
  const std::string before = files::read_bytes(folder_.path("c/results.jsonl"));
  const Outcome again = run(folder_, command);
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_EQ(files::read_bytes(folder_.path("c/results.jsonl")), before);
  EXPECT_EQ(again.out, first.out);
}

TEST_F(Sweep, AComparisonTakesNoOtherOnesPlace) {
  const auto compare = [&](const std::string& words) {
    return run(folder_, "compare " + words + " -q --data " + graph_ + " --out " + folder_.path("c"));
  };
  ASSERT_EQ(compare("'lap --steps 2,mlp-dp --steps 2' -e 8 -r 1").exit_code, 0);
  const Outcome other = compare("'lap --steps 3' -e 8 -r 1");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.error.find("holds another comparison"), std::string::npos) << other.error;
  EXPECT_EQ(lines("c").size(), 2u);
  EXPECT_EQ(compare("'lap --steps 2,mlp-dp --steps 2' -e 8 -r 2").exit_code, 0);  // the same, grown
  EXPECT_EQ(compare("'lap --steps 2' -e 8 -r 1").exit_code, 0);                   // a part of it
  EXPECT_EQ(lines("c").size(), 4u);
}

// What a class has among the test nodes tells the split: the same for every method of a seed, another for another.
TEST_F(Sweep, EveryMethodHasTheSameSplits) {
  const Outcome done = run(folder_,
                           "compare 'lap --steps 2,mlp-dp --steps 2,gap-ndp --epochs 1,gap-edp --epochs 1,lpgnet "
                           "--epochs 1,gap-inf --epochs 1' -e 8 -r 4 -q --data " +
                               graph_ + " --out " + folder_.path("c"));
  ASSERT_EQ(done.exit_code, 0) << done.out << done.error;
  std::map<int, std::set<std::vector<int>>> splits;
  std::set<std::vector<int>> all;
  for (const json& line : lines("c")) {
    std::vector<int> nodes;
    for (const json& row : line["confusion"]) {
      int sum = 0;
      for (const json& count : row) sum += count.get<int>();
      nodes.push_back(sum);
    }
    splits[line["seed"]].insert(nodes);
    all.insert(nodes);
  }
  ASSERT_EQ(splits.size(), 4u);
  for (const auto& [seed, found] : splits) EXPECT_EQ(found.size(), 1u) << "seed " << seed;
  EXPECT_GT(all.size(), 1u);
}

TEST_F(Sweep, KilledAtTenMomentsItLosesAndRepeatsNothing) {
  const std::string arguments = "sweep " + plan("seeds = 8") + " -q -j 2 --out ";
  ASSERT_EQ(run(folder_, arguments + folder_.path("whole")).exit_code, 0);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> moment(0.02, 0.4);
  int kills = 0;
  size_t known = 0;
  for (int i = 0; i < 10; ++i) {
    kills += killed_after(arguments + folder_.path("killed"), moment(random));
    const size_t now = there("killed/results.jsonl") ? lines("killed").size() : 0;  // every line is whole
    EXPECT_GE(now, known);
    known = now;
  }
  EXPECT_GT(kills, 0);
  const Outcome last = run(folder_, arguments + folder_.path("killed"));
  ASSERT_EQ(last.exit_code, 0) << last.error;
  std::map<std::string, double> whole, killed;
  for (const json& line : lines("whole")) whole[line["id"]] = line["scores"]["accuracy"];
  for (const json& line : lines("killed")) {
    EXPECT_TRUE(killed.emplace(line["id"], line["scores"]["accuracy"].get<double>()).second)
        << "run twice: " << line["id"];
  }
  EXPECT_EQ(killed.size(), 32u);
  EXPECT_EQ(killed, whole);
}

// Fresh runs draw from the book. Whatever was killed, the book has at least what the folders hold, a run that goes on
// keeps its place, and none is paid for twice.
TEST_F(Sweep, KilledUnderABudgetBookNothingIsDrawnThatIsNotInIt) {
  const std::string book = folder_.path("people.book");
  ASSERT_EQ(run(folder_, "budget open " + book + " --data " + graph_ + " --relation node --epsilon 200 --delta 1e-3")
                .exit_code,
            0);
  const std::string arguments =
      "sweep " + plan("fresh = 3") + " -q -j 2 --budget " + book + " --out " + folder_.path("s");
  const auto drawn = [&] {
    size_t count = 0;
    if (!there("s/files")) return count;
    for (const auto& entry : fs::directory_iterator(folder_.path("s/files"))) {
      const std::string name = entry.path().filename().string();
      count += name.find(".part") == std::string::npos && name.find(".unfinished") == std::string::npos;
    }
    return count;
  };
  const auto entries = [&] {
    size_t count = 0;
    const json history = run(folder_, "budget history " + book + " --json").json();
    for (const json& release : history["releases"]) {
      count += release["state"] == "spent" || release["state"] == "drawing";
    }
    return count;
  };
  std::mt19937 random(3);
  std::uniform_real_distribution<double> moment(0.02, 0.3);
  for (int i = 0; i < 10; ++i) {
    killed_after(arguments, moment(random));
    const size_t folders = drawn();  // first: an orphan of the sweep may still end its run
    EXPECT_GE(entries(), folders);
    const json shown = run(folder_, "budget show " + book + " --json").json();
    EXPECT_GE(shown["spent"].get<double>() + shown["reserved"].get<double>(), folders > 0 ? 1.0 : 0.0);
  }
  const Outcome last = run(folder_, arguments);
  ASSERT_EQ(last.exit_code, 0) << last.out << last.error;
  EXPECT_EQ(drawn(), 12u);
  EXPECT_EQ(entries(), 12u);
  std::set<std::string> ids;
  std::string folders;
  for (const json& line : lines("s")) EXPECT_TRUE(ids.insert(line["id"]).second);
  EXPECT_EQ(ids.size(), 12u);
  for (const auto& entry : fs::directory_iterator(folder_.path("s/files"))) folders += " " + entry.path().string();
  const Outcome check = run(folder_, "budget check " + book + folders);
  EXPECT_EQ(check.exit_code, 0) << check.out << check.error;
}

TEST_F(Sweep, StoppedByHandItSaysHowToGoOn) {
  const pid_t child = start("sweep " + plan("seeds = 200") + " -q -j 2 --out " + folder_.path("s"));
  while (!there("s/results.jsonl") || lines("s").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  EXPECT_EQ(ended(child), 128 + SIGINT);
  const std::string said = files::read_bytes(folder_.path("said"));
  EXPECT_NE(said.find("To go on: graphveil sweep "), std::string::npos) << said;
  // Its runs are gone with it: the folder can be had at once.
  const Outcome second = run(folder_, "sweep " + plan("seeds = 1") + " -q --out " + folder_.path("s"));
  EXPECT_EQ(second.exit_code, 0) << second.error;
}

TEST_F(Sweep, AFailingRunIsRecordedAndTheRestGoOn) {
  const std::string path =
      folder_.write("p.toml", "[[run]]\nrow = \"good\"\ncommand = \"train lap --steps 2 -e 1 -s 1 --data " + graph_ +
                                  "\"\n[[run]]\nrow = \"bad\"\ncommand = \"train lap --steps 2 "
                                  "-e 1 -s 1 --split file --data " +
                                  graph_ +
                                  "\"\n[[run]]\nrow = \"absent\"\ncommand = \"train lap --data "
                                  "UIllinois20_year.npz -s 1\"\n");
  const Outcome done = run(folder_, "sweep " + path + " -q --out " + folder_.path("s"));
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_NE(done.out.find("failed: 1 run, such as train lap"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("skipped: 1 run that read UIllinois20_year.npz, which is not there"), std::string::npos);
  EXPECT_EQ(lines("s").size(), 2u);
}

TEST_F(Sweep, MistakesAreFoundBeforeAnythingIsRun) {
  for (const std::string& arguments :
       {"compare lapp --data " + graph_, "compare lap --data " + folder_.path("none.npz"),
        "compare lap --data " + graph_ + " -e -1", "compare lap,,mlp-dp --data " + graph_,
        "compare lap --baseline mlp-dp --data " + graph_, "sweep " + folder_.path("none.toml"),
        "sweep " + folder_.write("bad.toml", "[grid]\nmethod = 3\n")}) {
    const Outcome wrong = run(folder_, arguments + " -q --out " + folder_.path("x"));
    EXPECT_EQ(wrong.exit_code, 2) << arguments << wrong.error;
    EXPECT_TRUE(wrong.error.starts_with("graphveil: ")) << wrong.error;
    EXPECT_FALSE(there("x/results.jsonl")) << arguments;
  }
}

}  // namespace
}  // namespace graphveil::cli::sweep_command_test
