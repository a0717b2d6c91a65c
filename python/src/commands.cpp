// The program's commands, run within Python: their answer is the object that --json prints.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/usage_error.h"
#include "python/src/bind.h"

namespace graphveil::python {
namespace {

// Only the command that is asked for: some take a while to make.
void add_command(CLI::App& app, cli::Session& session, const std::string& name) {
  if (name == "account") return cli::add_account_command(app, session);
  if (name == "attack") return cli::add_attack_command(app, session, true);
  if (name == "audit") return cli::add_audit_command(app, session, true);
  if (name == "budget") return cli::add_budget_command(app, session);
  if (name == "calibrate") return cli::add_calibrate_command(app, session);
  if (name == "data") return cli::add_data_command(app, session);
  if (name == "verify") return cli::add_verify_command(app, session);
  fail(ErrorKind::InvalidArgument, "there is no command '{}' here", name);
}

// The exit code (0 done, 1 the answer is no) and the JSON object.
std::pair<int, std::string> command(std::vector<std::string> arguments, int threads, const nb::object& progress) {
  return driven(threads, progress, [&] {
    require(!arguments.empty(), "no command was named");
    CLI::App app{"", "graphveil"};
    app.require_subcommand(1);
    std::string answer;
    cli::Session session;
    session.json = true;  // some commands make their object for it alone
    session.threads = threads;
    session.progress = current_context().progress;
    session.answered = [&](const nlohmann::ordered_json& object) { answer = object.dump(); };
    add_command(app, session, arguments.front());
    try {
      app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) {
      fail(ErrorKind::InvalidArgument, "{}", cli::usage_error(app, arguments, error));
    }
    return std::pair(session.exit_code, std::move(answer));
  });
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("command", &command, nb::arg("arguments"), nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace graphveil::python
