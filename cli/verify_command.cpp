// graphveil verify: recomputes a run's certificate; exit 1 when it does not hold.
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "graphveil/report/verify.h"

namespace graphveil::cli {
namespace {

void run_verify(const std::string& folder, Session& session) {
  const report::Verdict verdict = report::verify_run(folder);
  const report::Certificate& c = verdict.certificate;
  nlohmann::ordered_json object;
  object["valid"] = verdict.holds();
  object["epsilon"] = verdict.epsilon ? nlohmann::ordered_json(*verdict.epsilon) : nullptr;
  object["delta"] = c.delta;
  object["relation"] = bound::name(c.relation);
  object["reasons"] = verdict.reasons;

  // What a certificate claims is repeated only where it holds.
  std::string text = verdict.holds()
                         ? report::in_words(c) + "The certificate holds: recomputed from its events alone.\n"
                         : "The certificate does NOT hold:\n";
  for (const std::string& reason : verdict.reasons) text += fmt::format("  - {}\n", reason);
  print_result(session, object, text);
  if (!verdict.holds()) session.exit_code = kAnswerIsNo;
}

}  // namespace

void add_verify_command(CLI::App& app, Session& session) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("verify", "Recompute the certificate of a run folder from its events; exit 1 when it fails");
  command->add_option("folder", *folder, "The run folder that `train --out` wrote")->required();
  add_common_options(*command, session);
  command->callback([folder, &session] { run_verify(*folder, session); });
}

}  // namespace graphveil::cli
