// graphveil data: describe, convert and generate graphs.
#include "cli/command.h"

namespace graphveil::cli {

void add_data_command(CLI::App& app, Session& session) {
  CLI::App* data = app.add_subcommand("data", "Describe, convert and generate graphs");
  data->require_subcommand(1);
  (void)session;
}

}  // namespace graphveil::cli
