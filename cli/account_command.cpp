// graphveil account: what a list of events, or one sampled Gaussian, costs.
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/events_file.h"
#include "graphveil/account/accountant.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"

namespace graphveil::cli {
namespace {

struct AccountOptions {
  std::vector<std::string> events_paths;
  std::optional<double> noise_multiplier;
  double sampling_rate = 1;
  int64_t steps = 1;
  std::optional<double> delta;
  std::string accountant = "pld";
};

void run_account(const AccountOptions& options, const Session& session) {
  account::Ledger ledger;
  std::vector<run::Covered> covered;  // by certificates
  std::optional<double> delta = options.delta;
  if (!options.events_paths.empty()) {
    require(!options.noise_multiplier.has_value(), "give an events file or --noise-multiplier, not both");
    const EventsFiles file = read_events(options.events_paths);
    covered = file.covered;
    ledger = file.ledger;
    if (!delta) delta = file.delta;
  } else {
    require(options.noise_multiplier.has_value(),
            "nothing to account: give an events file, or --noise-multiplier with --sampling-rate and --steps");
    ledger.add(account::Event("steps", account::Gaussian{*options.noise_multiplier},
                              account::Poisson{options.sampling_rate}, options.steps));
  }
  require(delta.has_value(), "--delta is missing, and the events files name none, or not the same");

  const auto accountant = options.accountant == "rdp" ? account::Accountant::Rdp : account::Accountant::Pld;
  // Of certificates the total is that of all that they cover, and is quoted for whom it covers.
  const std::vector<run::Total> totals =
      covered.empty() ? std::vector<run::Total>{} : run::totals(covered, *delta, accountant);
  const account::Price price =
      totals.empty() ? account::price(ledger, *delta, accountant)
                     : account::Price{totals.front().epsilon.value_or(std::numeric_limits<double>::infinity()), {}};
  const double epsilon = price.epsilon;
  const std::string protects = totals.empty() ? "" : run::covers(totals.front());
  nlohmann::ordered_json object = {{"epsilon", std::isfinite(epsilon) ? nlohmann::ordered_json(epsilon) : nullptr},
                                   {"delta", *delta},
                                   {"accountant", options.accountant}};
  if (!protects.empty()) object["protects"] = protects;
  if (!price.looser.empty()) object["looser"] = price.looser;
  if (!totals.empty()) object["totals"] = totals_json(totals);
  std::string text = std::isfinite(epsilon)
                         ? fmt::format("epsilon {} at delta {:.3g} ({}){}\n", artifact::epsilon_text(epsilon, 6),
                                       *delta, options.accountant, protects.empty() ? "" : ": " + protects)
                         : fmt::format("no finite epsilon holds at delta {:.3g}\n", *delta);
  if (!price.looser.empty()) text += fmt::format("A looser bound, to save time: {}.\n", price.looser);
  for (size_t i = 1; i < totals.size(); ++i) {
    text += fmt::format("  {} for {}, {}\n", artifact::epsilon_text(totals[i].epsilon, 6), totals[i].what,
                        run::covers(totals[i]));
  }
  print_result(session, object, text);
}

}  // namespace

void add_account_command(CLI::App& app, Session& session) {
  auto options = std::make_shared<AccountOptions>();
  CLI::App* command = app.add_subcommand(
      "account", "Compute the epsilon of a list of privacy events, or of one Gaussian mechanism on Poisson batches");
  command->add_option("events", options->events_paths,
                      "JSON files: a list of ledger lines, an object with 'events', or certificates; or run folders, "
                      "with every prediction since; several compose");
  command->add_option("--noise-multiplier", options->noise_multiplier, "Noise stddev / sensitivity, without a file");
  command->add_option("--sampling-rate", options->sampling_rate, "Poisson sampling rate, without a file")
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Number of steps, without a file")->capture_default_str();
  command->add_option("-d,--delta", options->delta, "Delta, in [0, 1]");
  command->add_option("--accountant", options->accountant, "pld (tight) or rdp (Renyi, looser)")
      ->check(CLI::IsMember({"pld", "rdp"}))
      ->capture_default_str();
  add_common_options(*command, session);
  command->callback([options, &session] { run_account(*options, session); });
}

}  // namespace graphveil::cli
