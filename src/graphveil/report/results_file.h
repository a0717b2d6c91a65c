// The lines of a results.jsonl: one finished run of a sweep each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace graphveil::report {

struct ResultClass {
  std::string name;
  int64_t support = 0;  // test nodes
  double recall = 0;
};

// What a report draws of one line; other fields are not looked at.
struct ResultLine {
  std::string id, command, method, label, graph, accounting, error;
  bool done = false;
  std::optional<std::string> relation;
  std::optional<int64_t> protect_degree;
  std::optional<double> epsilon;  // asked for; none: no noise
  std::optional<double> delta;
  bool valid = false, releasable = false;
  bool noise = false;  // whether any was drawn: a method that reads no edge needs none under an edge relation
  int64_t seed = 0;
  std::map<std::string, std::string> options;  // given beside the fields here
  std::map<std::string, double> scores;        // by name; fractions
  std::vector<ResultClass> classes;
  std::vector<std::vector<int64_t>> confusion;  // row: the true class
  std::optional<double> seconds;
};

struct ResultsFile {
  std::string path;
  std::vector<ResultLine> lines;
  bool unfinished = false;  // the last line was not written to its end: it is left out
};

// Of several lines of one run, which was made again after it had failed, the last counts. Throws Io when it cannot be
// read; BadInput, naming the line and the field, for anything that is no such file.
ResultsFile read_results(const std::string& path);

}  // namespace graphveil::report
