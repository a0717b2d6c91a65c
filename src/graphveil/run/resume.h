// `train --resume`: a run that was killed goes on, with the data, the options and the noise that it had.
#pragma once

#include <memory>
#include <string>

#include "graphveil/artifact/journal.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/input.h"

namespace graphveil::run {

// Where a run's graphs and its signing key lie: what a journal must know besides the options.
struct RunInputs {
  InputPaths graphs;
  std::string signing_key;  // a path; empty: none
};

// A run as its journal has it.
struct Resumed {
  std::unique_ptr<artifact::Journal> journal;
  std::unique_ptr<Experiment> experiment;
  RunInputs inputs;
};

// Opens the journal of the run that would have become `folder`. Throws Io when there is none, when another process has
// it, or when the run is done: then the journal goes.
Resumed resume(const std::string& folder);

// The journal of a new run that becomes `folder`, for a method that can go on after a kill; none for others.
std::unique_ptr<artifact::Journal> new_journal(const std::string& folder, const Experiment& experiment,
                                               const RunInputs& inputs, const InputData& input);
// Throws BadInput unless these are the graphs with which the journal was begun.
void check_same_data(const artifact::Journal& journal, const InputData& input);

}  // namespace graphveil::run
