// The graphveil program: parses the command line, runs one command, turns errors into exit codes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/usage_error.h"
#include "graphveil/base/error.h"
#include "graphveil/base/unfinished_path.h"
#include "graphveil/base/version.h"
#include "graphveil/files/table_text.h"

namespace graphveil::cli {
namespace {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::BudgetExceeded: return kBudgetExceeded;
    case ErrorKind::Internal: return kInternalError;
    default: return kBadUsage;
  }
}

// Option names may be typed with underscores: --hidden_dim is --hidden-dim. Values stay as they are.
void use_hyphens(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).substr(0, 2) != "--") continue;
    for (char* c = argv[i] + 2; *c != '\0' && *c != '='; ++c) {
      if (*c == '_') *c = '-';
    }
  }
}

// What is not UTF-8 fits no certificate and no JSON: found out before any work is paid for.
void check_text(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (!files::first_not_utf8(argv[i])) continue;
    fail(ErrorKind::InvalidArgument, "argument {} is not UTF-8; rename the file, or give its name by a link that is",
         i);
  }
}

// An answer that nobody could read is none.
int told(int code) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return code;
  fmt::print(stderr, "graphveil: standard output cannot be written; the answer is lost\n");
  return code == 0 ? kBadUsage : code;
}

// One line for people. Where nobody can hear it, the exit code still tells.
void say(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

int run(int argc, char** argv) {
  CLI::App app{"Graph neural networks with a differential-privacy guarantee that really holds", "graphveil"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  Session session;
  add_methods_command(app, session);
  add_data_command(app, session);
  add_pretrain_command(app, session);
  add_predict_command(app, session);
  add_train_command(app, session);
  add_account_command(app, session);
  add_budget_command(app, session);
  add_calibrate_command(app, session);
  add_verify_command(app, session);
  add_report_command(app, session);
  const auto named = [&](std::string_view word) { return std::find(argv + 1, argv + argc, word) != argv + argc; };
  add_audit_command(app, session, named("audit"));
  add_attack_command(app, session, named("attack"));
  add_sweep_commands(app, session, {argv + 1, argv + argc});
  add_complete_command(app);
  try {
    check_text(argc, argv);
    use_hyphens(argc, argv);
    app.parse(argc, argv);
    return session.exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    say(usage_error(app, {argv + 1, argv + argc}, error));
    return kBadUsage;
  } catch (const Error& error) {
    say(fmt::format("graphveil: {}", error.what()));
    return exit_code(error.kind());
  } catch (const std::filesystem::filesystem_error& error) {
    // A path that this user may not look at, a disk that is gone: not ours to mend.
    say(fmt::format("graphveil: {}: {}", error.path1().string(), error.code().message()));
    return kBadUsage;
  } catch (const std::ios_base::failure& error) {
    say(fmt::format("graphveil: a file cannot be read: {}", error.code().message()));
    return kBadUsage;
  } catch (const std::bad_alloc&) {
    say("graphveil: out of memory");
    return kInternalError;
  } catch (const std::exception& error) {
    say(fmt::format("graphveil: internal error: {}", error.what()));
    return kInternalError;
  }
}

}  // namespace
}  // namespace graphveil::cli

// Ctrl-C leaves no half-written file.
extern "C" void end_by_signal(int signal_number) {
  graphveil::remove_unfinished_paths();
  const char* kept = graphveil::farewell();
  const std::string_view words = kept != nullptr ? kept : "\ngraphveil: stopped; no file is left half-written\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words.data(), words.size());
  _exit(128 + signal_number);
}

int main(int argc, char** argv) {
  // A file that is opened must never get the number of a closed standard stream, and words with it.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return graphveil::cli::kInternalError;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
  std::signal(SIGINT, end_by_signal);
  std::signal(SIGTERM, end_by_signal);
  return graphveil::cli::told(graphveil::cli::run(argc, argv));
}
