// Runs of a sweep that differ in their seed alone, taken together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graphveil/nn/metrics.h"
#include "graphveil/sweep/results_file.h"

namespace graphveil::report {

using sweep::Result;
using sweep::ResultClass;
using sweep::ResultLines;

enum class Standing {
  None,         // not compared: alone, without noise, or not a proof
  Best,         // the highest mean of those with the same graph, epsilon, relation and degree
  WithinNoise,  // not shown to be below the best by differences seed by seed, at 95% of all pairs together
  Behind,       // shown to be below it
};
const char* name(Standing standing);

struct ResultGroup {
  // What the group's line of a chart is called: the label, with whatever else tells two groups of that label apart.
  std::string series;
  size_t first = 0;                                // a line of the file that is of this group
  std::vector<size_t> lines;                       // of the file, all done, by rising seed
  int64_t failed = 0;                              // runs of its graph, label and epsilon that failed
  std::map<std::string, nn::MeanInterval> scores;  // of those that every line of the group has
  std::vector<ResultClass> classes;                // mean recall, support summed over the lines
  std::vector<std::vector<int64_t>> confusion;     // summed
  std::optional<double> seconds;                   // mean
  Standing standing = Standing::None;
  std::optional<bool> beats_majority;  // sweep/summary.h

  // None when no line of the group has it.
  std::optional<nn::MeanInterval> score(const std::string& name) const;
};

// Of the trainings that are done, in the order in which the file first has them, but for epsilon, which rises within
// graph and series.
std::vector<ResultGroup> grouped(const ResultLines& file);

// Whether a line is of a training, and not of an attack or an audit.
bool is_training(const Result& line);

// The score that a file is about: accuracy where it has that, else the area under the curve, else the first by name.
std::string main_score(const ResultLines& file);

}  // namespace graphveil::report
