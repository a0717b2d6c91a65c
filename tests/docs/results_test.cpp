// Numbers of docs/results.md, made again: the rows of the smallest graph, at one budget. A row that comes out otherwise
// is stale, and so are the rest: run bench/results/tables.py.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graphveil/files/format.h"
#include "graphveil/run/train.h"

namespace graphveil::results_test {
namespace {

namespace fs = std::filesystem;

fs::path data_root() {
  const char* given = std::getenv("GRAPHVEIL_DATA");
  return given != nullptr ? fs::path(given) : fs::path(GRAPHVEIL_SOURCE_DIR) / ".." / "shared";
}

// What `train WORDS -e 4 -d 1e-4 --split 80/0/20 --seed 1 --repeats 5` prints in a table.
std::string cell(const std::string& words, const graph::Dataset& data) {
  std::istringstream in(words);
  std::string name;
  in >> name;
  run::Experiment experiment(name);
  for (std::string option, value; in >> option >> value;) experiment.set(option.substr(2), value);
  for (const auto& [option, value] :
       {std::pair("epsilon", "4"), std::pair("delta", "1e-4"), std::pair("split", "80/0/20"), std::pair("seed", "1"),
        std::pair("repeats", "5")}) {
    experiment.set(option, value);
  }
  const run::TrainOutcome outcome = run::train(experiment, {data, std::nullopt});
  return fmt::format("{:.1f} ± {:.1f}", 100 * outcome.test_accuracy.mean, 100 * outcome.test_accuracy.std);
}

TEST(Results, RowsOfTheSmallestGraphComeOutAgain) {
  const fs::path path = data_root() / "data" / "cora_ml" / "cora_ml.npz";
  if (!fs::exists(path)) GTEST_SKIP() << "skipped: no " << path;
  const graph::Dataset data = files::read_dataset(path.string());
  std::ifstream in(fs::path(GRAPHVEIL_SOURCE_DIR) / "docs" / "results.md");
  // | cora_ml | `method and options` | ε = 1 | ε = 4 | ε = 8 |
  static const std::regex row(R"(\| cora_ml \| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|)");
  int seen = 0;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::string words = match[1];
    if (words.rfind("auto", 0) == 0) continue;  // a choice of one of the others
    EXPECT_EQ(match[3], cell(words, data))
        << "`" << words << "`: docs/results.md is stale, run bench/results/tables.py";
    ++seen;
  }
  EXPECT_GE(seen, 8);
}

}  // namespace
}  // namespace graphveil::results_test
