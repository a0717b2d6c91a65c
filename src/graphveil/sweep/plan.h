// What a sweep runs: a grid, rows of a paper, commands of one's own. docs/formats.md describes the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/sweep/run.h"

namespace graphveil::sweep {

// Methods by graphs by budgets by options by seeds. A method without a guarantee runs once a seed: it has no budget.
struct Grid {
  std::vector<std::string> methods;  // with options of their own: "gap-ndp --hops 2"
  std::vector<std::string> graphs;   // files or folders
  std::vector<double> epsilon = {1};
  std::vector<int64_t> seeds = {1};
  int64_t fresh = 0;  // instead of seeds: runs with secret randomness, whose folders are kept
  // For every method; one with several values is an axis of its own.
  std::vector<std::pair<std::string, std::vector<std::string>>> options = {};
};

// A cell of a paper's table beside ours. Sides name runs and what is measured of them; `minus` is to be subtracted,
// repeat by repeat.
struct PaperRow {
  struct Side {
    std::string run, minus, measures;
  };
  std::string row, graph;
  std::optional<double> paper_mean, paper_std;
  bool percent = false;  // ours is a fraction, shown in percent
  std::optional<Side> published, sound;
};

struct Plan {
  std::string name, title, paper, table;
  std::string metric = "accuracy";  // of the scores
  std::string baseline;             // label of the method that others are compared with; empty: the best
  std::vector<Run> steps;           // commands that make files which runs read
  std::vector<Run> runs;            // none twice
  std::vector<PaperRow> rows;
  std::string text;  // that reads back as this plan
};

enum class Size { Full, Quick };

// Throws BadInput, naming file, line and key, or Io. A plan's `rows` are looked for beside it.
Plan parse_plan(const std::string& text, const std::string& file, Size size);
Plan read_plan(const std::string& path, Size size);

// The runs of a grid, seed by seed, so that every cell has a value soon. Throws InvalidArgument.
std::vector<Run> grid_runs(const Grid& grid);

// The plan of a grid alone, with the text of its file.
Plan plan_of(const Grid& grid, const std::string& title, const std::string& metric, const std::string& baseline);

}  // namespace graphveil::sweep
