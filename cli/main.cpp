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
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/advise_command.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/launch.h"
#include "cli/mpi_ranks.h"
#include "cli/usage_error.h"
#include "graphveil/base/error.h"
#include "graphveil/base/large_memory.h"
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
std::vector<std::string> with_hyphens(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (!word.starts_with("--")) continue;
    std::replace(word.begin() + 2, std::find(word.begin(), word.end(), '='), '_', '-');
  }
  return words;
}

// What is not UTF-8 fits no certificate and no JSON: found out before any work is paid for.
void check_text(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!files::first_not_utf8(words[i])) continue;
    fail(ErrorKind::InvalidArgument, "argument {} is not UTF-8; rename the file, or give its name by a link that is",
         i + 1);
  }
}

// An answer that nobody could read is none.
int told(int code) {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return code;
  fmt::print(stderr, "graphveil: standard output cannot be written; the answer is lost\n");
  return code == 0 ? kBadUsage : code;
}

// `graphveil help train lap` is `graphveil train lap --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

const char* kind_of(int code) {
  switch (code) {
    case kBudgetExceeded: return "budget exceeded";
    case kInternalError: return "internal error";
    default: return "bad usage or input";
  }
}

// What several processes do that one does not: all but the first keep silent, and one that fails ends all.
const std::optional<Place>& place() {
  static const std::optional<Place> found = place_among_processes();
  return found;
}

void keep_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

// The version, and whether ranks can talk.
std::string version_text() {
  const std::string name = mpi_name();
  return fmt::format("{}\n{}", version(), name.empty() ? "without MPI" : "with " + name);
}

// One line for people, and with --json the same as an object for programs. Where nobody can hear it, the exit code
// still tells.
int refuse(const std::vector<std::string>& words, const std::string& line, int code) {
  if (place() && place()->rank != 0 && runs_on_ranks(words)) {
    constexpr std::string_view kName = "graphveil: ";  // rank 0 says it
    end_all(place()->rank, code, line.starts_with(kName) ? line.substr(kName.size()) : line);
  }
  std::fputs((line + "\n").c_str(), stderr);
  if (std::ranges::find(words, "--json") != words.end()) {
    const nlohmann::ordered_json object{{"error", line}, {"kind", kind_of(code)}, {"exit_code", code}};
    // A path may hold bytes that are no text.
    std::cout << object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  }
  std::cout.flush();
  if (place() && runs_on_ranks(words)) end_all(place()->rank, code, line);
  return code;
}

int run(int argc, char** argv) {
  const std::vector<std::string> words = words_of(argc, argv);
  if (words.empty()) {
    std::cout << start_text();
    return kDone;
  }
  CLI::App app{"Graph neural networks with a differential-privacy guarantee that really holds", "graphveil"};
  app.set_version_flag("--version", version_text());
  app.set_help_all_flag("--help-all", "All options of a command");
  app.formatter(help_formatter());
  app.require_subcommand(1);
  Session session;
  if (place()) {
    session.words = words;
    session.start_ranks = start_mpi;
  }
  add_methods_command(app, session);
  add_advise_command(app, session);
  add_data_command(app, session);
  add_pretrain_command(app, session);
  add_predict_command(app, session);
  add_train_command(app, session);
  add_account_command(app, session);
  add_budget_command(app, session);
  add_calibrate_command(app, session);
  add_verify_command(app, session);
  add_report_command(app, session);
  const auto named = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  add_audit_command(app, session, named("audit"));
  add_attack_command(app, session, named("attack"));
  add_plan_command(app, session, named("plan"));
  add_sweep_commands(app, session, words);
  add_complete_command(app);
  try {
    check_text(words);
    const bool asks = words.front().starts_with("--") || words.back() == "--help";
    if (place() && !asks && !runs_on_ranks(words)) {
      fail(ErrorKind::Unsupported, "`{}` runs on one machine: leave mpirun out", words.front());
    }
    // CLI11 takes them from the end.
    std::vector<std::string> reversed = with_hyphens(words);
    std::ranges::reverse(reversed);
    app.parse(std::move(reversed));
    session.context.reset();
    end_mpi();
    return session.exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return refuse(words, usage_error(app, with_hyphens(words), error), kBadUsage);
  } catch (const Error& error) {
    return refuse(words, fmt::format("graphveil: {}", error.what()), exit_code(error.kind()));
  } catch (const std::filesystem::filesystem_error& error) {
    // A path that this user may not look at, a disk that is gone: not ours to mend.
    return refuse(words, fmt::format("graphveil: {}: {}", error.path1().string(), error.code().message()), kBadUsage);
  } catch (const std::ios_base::failure& error) {
    return refuse(words, fmt::format("graphveil: a file cannot be read: {}", error.code().message()), kBadUsage);
  } catch (const ScratchError& error) {
    return refuse(words, fmt::format("graphveil: {}", error.what()), kBadUsage);
  } catch (const std::bad_alloc&) {
    return refuse(words, "graphveil: out of memory", kInternalError);
  } catch (const std::exception& error) {
    return refuse(words, fmt::format("graphveil: internal error: {}", error.what()), kInternalError);
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
  if (graphveil::cli::place() && graphveil::cli::place()->rank != 0) graphveil::cli::keep_silent();
  return graphveil::cli::told(graphveil::cli::run(argc, argv));
}
