// graphveil verify: rebuilds a run's plan and recomputes its certificate; exit 1 when it does not hold or may not
// leave.
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/budget_option.h"
#include "cli/command.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/run/book.h"
#include "graphveil/run/totals.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {
namespace {

struct VerifyCommand {
  std::string path, key_path, book;
  CLI::Option* key = nullptr;
};

std::string totals_text(const run::LogReading& log) {
  if (log.releases < 2) return "";
  std::string text = "With every prediction since, epsilon is in all:\n";
  for (const run::Total& t : log.totals) {
    text += fmt::format("  {} at delta {:.3g} for {}, {}\n", artifact::epsilon_text(t.epsilon), t.delta, t.what,
                        run::covers(t));
  }
  return text;
}

// Whether the book that the certificate names still has its entry: one that was put back to an older state has not.
void check_book(const VerifyCommand& command, run::Verdict& verdict) {
  const std::optional<std::string> path = command.book.empty() ? kept_book(command.path) : std::optional(command.book);
  std::error_code ignored;
  if (!path || !std::filesystem::exists(*path, ignored)) {
    verdict.unchecked.push_back(
        fmt::format("budget book {} is not at hand (--budget names its file)", verdict.certificate.budget->book));
    return;
  }
  const std::string why = run::BudgetBook(*path).missing(*verdict.certificate.budget);
  if (!why.empty()) verdict.reasons.push_back(fmt::format("{}: the run {}", *path, why));
}

void run_verify(const VerifyCommand& command, Session& session) {
  std::optional<std::string> key;
  require(command.key->count() == 0 || !command.key_path.empty(), "--key is empty, want the file of a public key");
  if (!command.key_path.empty()) key = artifact::read_text(command.key_path);
  run::Verdict verdict = run::verify_path(command.path, key);
  if (verdict.certificate.budget) check_book(command, verdict);
  const std::optional<run::LogReading>& log = verdict.log;
  const artifact::Certificate& c = verdict.certificate;
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json object;
  object["valid"] = verdict.holds();
  object["releasable"] = verdict.releasable();
  object["epsilon"] = number(verdict.epsilon);
  object["delta"] = c.delta;
  object["relation"] = bound::name(c.relation);
  object["statements"] = verdict.holds() ? to_json(c).at("statements") : nlohmann::ordered_json::array();
  object["reasons"] = verdict.reasons;
  object["not_releasable"] = c.not_releasable;
  object["unchecked"] = verdict.unchecked;
  // Of everything, where that is covered under the relation above; each total stands below with its own relation.
  const bool same = log && log->totals.front().relation == c.relation;
  object["epsilon_total"] = number(same ? log->totals.front().epsilon : std::nullopt);
  object["totals"] = totals_json(log ? log->totals : std::vector<run::Total>{});

  // What a certificate claims is repeated only where it holds.
  std::string text;
  if (verdict.holds()) {
    text = artifact::in_words(c) + "The certificate holds: its plan was made anew from its options and priced again.\n";
    if (log) text += totals_text(*log);
  } else {
    text = "The certificate does NOT hold:\n";
    for (const std::string& reason : verdict.reasons) text += fmt::format("  - {}\n", reason);
  }
  for (const std::string& item : verdict.unchecked) text += fmt::format("Not checked: {}.\n", item);
  print_result(session, object, text);
  if (!verdict.releasable()) session.exit_code = kAnswerIsNo;
}

}  // namespace

void add_verify_command(CLI::App& app, Session& session) {
  auto options = std::make_shared<VerifyCommand>();
  CLI::App* command = app.add_subcommand(
      "verify", "Make the plan of a run anew and price it again; exit 1 when it does not hold or may not be released");
  command->add_option("path", options->path, "A run folder, its release/ or draft/ alone, or a certificate.json")
      ->required();
  options->key = command->add_option("--key", options->key_path,
                                     "Ed25519 public key (PEM) by which the certificate must be signed");
  command->add_option("--budget", options->book, "The run's budget book (default: where it lay when the run was made)");
  add_common_options(*command, session);
  add_memory_options(*command, session);
  command->callback([options, &session] { run_verify(*options, session); });
}

}  // namespace graphveil::cli
