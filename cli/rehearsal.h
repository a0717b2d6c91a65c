// train --rehearse: what to expect, from made-up people.
#pragma once

#include <string>

#include "cli/command.h"
#include "graphveil/run/rehearse.h"

namespace graphveil::cli {

// Trains on a twin that is made of public facts alone, and prints what came of it after `chosen` (of `train auto`; else
// empty). Nothing is spent and nothing is written.
void run_rehearsal(const run::Experiment& experiment, const run::InputData& input, const run::DeclaredPeople& declared,
                   const std::string& chosen, const Session& session);

}  // namespace graphveil::cli
