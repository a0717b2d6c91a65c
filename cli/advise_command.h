// graphveil advise: which method, relation and noise, from public numbers alone.
#pragma once

#include "cli/command.h"

namespace graphveil::cli {

void add_advise_command(CLI::App& app, Session& session);

}  // namespace graphveil::cli
