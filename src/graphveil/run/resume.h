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
  std::string signing_key = {};  // a path; empty: none
  std::string book = {};         // of the budget: a path; empty: none
};

// A run as its journal has it.
struct Resumed {
  std::unique_ptr<artifact::Journal> journal;
  std::unique_ptr<Experiment> experiment;
  RunInputs inputs;
};

// Opens the journal of the run that would have become `folder`. Throws Io when there is none, when another process has
// it, or when the run is done: then the journal goes.
Resumed resume(const std::string& folder, const std::optional<artifact::SealKey>& key = std::nullopt);

// The journal of a new run that becomes `folder`. Checkpoints of an earlier one, whose journal is gone, go.
std::unique_ptr<artifact::Journal> new_journal(const std::string& folder, const Experiment& experiment,
                                               const RunInputs& inputs, const InputData& input,
                                               const std::optional<artifact::SealKey>& key = std::nullopt);
// The key that is the hash of this file. Throws Io, or InvalidArgument for a file of less than 16 bytes.
artifact::SealKey read_seal_key(const std::string& path);
// Throws BadInput unless these are the graphs, with the same parts, and the public file with which the journal was
// begun: the same noise on another training node would tell the two apart.
void check_same_data(const artifact::Journal& journal, const Experiment& experiment, const InputData& input);

}  // namespace graphveil::run
