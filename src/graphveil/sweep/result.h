// What one run came to: a line of results.jsonl. docs/formats.md describes its fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/sweep/run.h"

namespace graphveil::sweep {

// What was measured for a paper's row: over repeats where the command had any.
struct Figure {
  double mean = 0;
  std::optional<double> std;
  std::vector<double> values;
};

struct ResultClass {
  std::string name;
  int64_t support = 0;  // test nodes
  double recall = 0;
};

struct Result {
  std::string id, command;  // the words behind `graphveil`
  bool done = false;        // else it failed
  std::string error;        // of one that failed: a sentence
  std::string row, graph, method, relation, accounting;
  std::optional<double> epsilon;  // asked for; none: no noise
  std::optional<int64_t> seed;
  std::optional<int64_t> protect_degree;
  std::optional<double> delta;
  bool valid = false, releasable = false;
  bool noise = false;  // whether any was drawn: a method that reads no edge needs none under an edge relation
  std::map<std::string, std::string> options;  // given beside the fields here
  std::map<std::string, double> scores;        // fractions; what was not measured is missing
  // Whether the kept model is shown to say more than the largest class of everybody does, by the run's own sign test.
  std::optional<bool> beats_majority;
  std::vector<ResultClass> classes;
  std::vector<std::vector<int64_t>> confusion;  // row: the true class
  std::map<std::string, Figure> figures;        // by the path that leads to them
  double seconds = 0, peak_memory_mb = 0;
  std::string line;  // of the file, without its end
};

// How a process ended.
struct Ended {
  int exit_code = 0;  // of one that ended by itself
  int signal = 0;     // that ended it; 0: none
  std::string out, error;
  double seconds = 0;
};

// The line of a run that has ended. A command that answers "no" (exit code 1) and prints its object is done. `plan` is
// the plan's name.
Result result_of(const std::string& plan, const Run& run, const Ended& ended);
// The line of a run that could not begin.
Result failed_result(const std::string& plan, const Run& run, const std::string& error);

// Throws BadInput, with `what` in front, naming the field, for a line that is not one.
Result parse_result(const std::string& line, const std::string& what);

}  // namespace graphveil::sweep
