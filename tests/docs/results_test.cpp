// Numbers of results/*.jsonl, made again by their own commands: the lines of the smallest graph, at one budget. A line
// that comes out otherwise is stale, and so are the rest: run scripts/results, then scripts/pages.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "graphveil/files/format.h"
#include "graphveil/run/train.h"

namespace graphveil::results_test {
namespace {

namespace fs = std::filesystem;

fs::path data_root() {
  const char* given = std::getenv("GRAPHVEIL_DATA");
  return given != nullptr ? fs::path(given) : fs::path(GRAPHVEIL_SOURCE_DIR) / ".." / "shared";
}

// What `graphveil train METHOD --option value ... --data FILE` measures on that data, as a table has it.
std::string cell(const std::string& command, const graph::Dataset& data) {
  std::istringstream in(command);
  std::string program, train, method;
  in >> program >> train >> method;
  EXPECT_EQ(program + " " + train, "graphveil train");
  run::Experiment experiment(method);
  for (std::string option, value; in >> option >> value;) {
    if (option == "--data") continue;
    if (option == "--preset") {
      experiment.use_preset(value);  // first in every command
      continue;
    }
    experiment.set(option.substr(option.find_first_not_of('-')), value);
  }
  const run::TrainOutcome outcome = run::train(experiment, {data, std::nullopt});
  return fmt::format("{:.1f} ± {:.1f}", 100 * outcome.test_accuracy.mean, 100 * outcome.test_accuracy.std);
}

TEST(Results, LinesOfTheSmallestGraphComeOutAgain) {
  const fs::path path = data_root() / "data" / "cora_ml" / "cora_ml.npz";
  if (!fs::exists(path)) GTEST_SKIP() << "skipped: no " << path;
  const graph::Dataset data = files::read_dataset(path.string());
  int seen = 0;
  for (const char* file : {"node.jsonl", "record.jsonl", "parameters.jsonl"}) {
    std::ifstream in(fs::path(GRAPHVEIL_SOURCE_DIR) / "results" / file);
    ASSERT_TRUE(in) << file;
    for (std::string text; std::getline(in, text);) {
      const auto line = nlohmann::json::parse(text);
      if (line["graph"] != "cora_ml" || line["epsilon"] != 4) continue;
      if (line["method"] == "auto") continue;  // a choice of one of the others
      const std::string command = line["command"];
      EXPECT_EQ(fmt::format("{:.1f} ± {:.1f}", line["mean"].get<double>(), line["std"].get<double>()),
                cell(command, data))
          << command << ": results/" << file << " is stale, run scripts/results and scripts/pages";
      ++seen;
    }
  }
  EXPECT_GE(seen, 13);
}

}  // namespace
}  // namespace graphveil::results_test
