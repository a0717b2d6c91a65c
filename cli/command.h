// What the commands of the program share: exit codes, common options, output.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "graphveil/base/context.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/ranks.h"
#include "graphveil/run/totals.h"

namespace graphveil::cli {

enum ExitCode { kDone = 0, kAnswerIsNo = 1, kBadUsage = 2, kBudgetExceeded = 3, kInternalError = 4 };

// Filled by the options that every command has; a command sets exit_code when its answer is "no".
struct Session {
  bool json = false;
  bool quiet = false;
  int threads = 0;        // 0: all processors
  double memory_gb = 0;   // 0: three quarters of what is free
  std::string scratch{};  // where large arrays lie beyond that; empty: no limit is kept
  bool scratch_given = false;
  int exit_code = kDone;
  // Who takes the answer and hears of progress in place of the standard streams, where the program is a part of
  // another.
  std::function<void(const nlohmann::ordered_json&)> answered = nullptr;
  std::shared_ptr<ProgressSink> progress = nullptr;
  std::optional<ContextScope> context = std::nullopt;  // what the options say, while the command runs
  // Where this is one of several processes (cli/launch.h): how it begins to talk to the others, given after how many
  // seconds of silence it gives up; and the words of its command line.
  std::function<std::shared_ptr<Ranks>(double)> start_ranks = nullptr;
  std::vector<std::string> words = {};
  double stall_seconds = 300;
};

// --json, --quiet, --threads on one leaf command; applies them before the command's callback runs.
void add_common_options(CLI::App& command, Session& session);

// --memory and --scratch on a command that reads or makes whole graphs, after the common options.
void add_memory_options(CLI::App& command, Session& session);

// Prints text, or with --json the object and nothing else, on standard output.
void print_result(const Session& session, const nlohmann::ordered_json& object, const std::string& text);

// Totals with the relation and degree that each is for.
nlohmann::ordered_json totals_json(const std::vector<run::Total>& totals);

// --force on a command that writes a file.
void add_force_option(CLI::App& command, bool& force);
// Found out before the work: throws InvalidArgument unless the path has one of the endings (those of a graph, unless
// told otherwise), Io when it exists and --force was not given, or cannot be written.
void check_output(const std::string& path, bool force, const std::vector<std::string>& endings = {".npz", ".gvg"});

// How many of so many nodes train by the usual --split.
int64_t usual_train_nodes(int64_t nodes);

// Each declares its command below `app`, to run through a CLI11 callback that may throw graphveil::Error.
void add_account_command(CLI::App& app, Session& session);
// Those with `whole` have a tree of methods with all their options, which takes a while to make: it says that one is
// asked for, else they are there by name.
void add_attack_command(CLI::App& app, Session& session, bool whole);
void add_audit_command(CLI::App& app, Session& session, bool whole);
void add_budget_command(CLI::App& app, Session& session);
void add_calibrate_command(CLI::App& app, Session& session);
void add_complete_command(CLI::App& app);
void add_data_command(CLI::App& app, Session& session);
void add_methods_command(CLI::App& app, Session& session);
void add_predict_command(CLI::App& app, Session& session);
void add_plan_command(CLI::App& app, Session& session, bool whole);
void add_pretrain_command(CLI::App& app, Session& session);
// sweep and compare; `words` are those behind the program's name, for whoever stops it and wants to go on.
void add_sweep_commands(CLI::App& app, Session& session, const std::vector<std::string>& words);
void add_report_command(CLI::App& app, Session& session);
void add_table_commands(CLI::App& data, Session& session);
void add_train_command(CLI::App& app, Session& session);
void add_verify_command(CLI::App& app, Session& session);

}  // namespace graphveil::cli
