// Attacks on the files of run folders.
#pragma once

#include "cli/command.h"

namespace graphveil::cli {

// own-list, support, differences, forge, timing.
void add_file_attacks(CLI::App& attack, Session& session);

}  // namespace graphveil::cli
