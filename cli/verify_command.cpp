// graphveil verify: rebuilds a run's plan and recomputes its certificate; exit 1 when it does not hold or may not
// leave.
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/words.h"
#include "graphveil/run/predict.h"
#include "graphveil/run/verify.h"

namespace graphveil::cli {
namespace {

struct VerifyCommand {
  std::string path, key_path;
};

void run_verify(const VerifyCommand& command, Session& session) {
  std::optional<std::string> key;
  if (!command.key_path.empty()) key = artifact::read_text(command.key_path);
  const run::Verdict verdict = run::verify_path(command.path, key);
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
  std::optional<double> total;
  if (verdict.holds() && std::filesystem::is_directory(command.path)) total = run::total_epsilon(command.path, c);
  object["epsilon_total"] = number(total);

  // What a certificate claims is repeated only where it holds.
  std::string text;
  if (verdict.holds()) {
    text = artifact::in_words(c) + "The certificate holds: its plan was made anew from its options and priced again.\n";
    if (total && *total > c.epsilon.value_or(0) * (1 + 1e-9)) {
      const std::optional<int64_t> degree = c.statements.front().degree;
      text += fmt::format(
          "With every prediction since, epsilon is {} in all at delta {:.3g}, relation {}{}; graphs "
          "declared disjoint are taken at their word.\n",
          artifact::epsilon_text(total), c.delta, bound::name(c.relation),
          degree ? fmt::format(", for a node with at most {} outgoing edges", *degree) : "");
    }
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
  command->add_option("path", options->path, "A run folder, its release/ folder alone, or a certificate.json")
      ->required();
  command->add_option("--key", options->key_path, "Ed25519 public key (PEM) by which the certificate must be signed");
  add_common_options(*command, session);
  command->callback([options, &session] { run_verify(*options, session); });
}

}  // namespace graphveil::cli
