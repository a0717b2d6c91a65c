// graphveil calibrate: the smallest noise that meets a privacy target.
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/events_file.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"

namespace graphveil::cli {
namespace {

struct CalibrateOptions {
  std::string subject;
  double epsilon = 0;
  std::optional<double> delta;
};

// The event with its noise scaled by `factor`: multipliers grow, ranges and log-odds shrink.
account::Event scaled(const account::Event& event, double factor) {
  struct Visitor {
    double factor;
    account::Mechanism operator()(account::Gaussian m) const { return account::Gaussian{m.noise_multiplier * factor}; }
    account::Mechanism operator()(account::Laplace m) const { return account::Laplace{m.noise_multiplier * factor}; }
    account::Mechanism operator()(account::Exponential m) const { return account::Exponential{m.range / factor}; }
    account::Mechanism operator()(account::RandomizedResponse m) const {
      return account::RandomizedResponse{m.log_odds / factor, m.classes};
    }
  };
  return account::Event(event.label(), std::visit(Visitor{factor}, event.mechanism()), event.sampling(), event.count());
}

double noise_of(const account::Mechanism& mechanism) {
  struct Visitor {
    double operator()(const account::Gaussian& m) const { return m.noise_multiplier; }
    double operator()(const account::Laplace& m) const { return m.noise_multiplier; }
    double operator()(const account::Exponential& m) const { return m.range; }
    double operator()(const account::RandomizedResponse& m) const { return m.log_odds; }
  };
  return std::visit(Visitor{}, mechanism);
}

void run_calibrate(const CalibrateOptions& options, const Session& session) {
  const account::AccountFile file = read_events(options.subject);
  const std::optional<double> delta = options.delta ? options.delta : file.delta;
  require(delta.has_value(), "--delta is missing, and the events file names none");
  require(!file.ledger.empty(), "{}: has no events to calibrate", options.subject);

  const auto plan = [&](double factor) {
    account::Ledger ledger;
    for (const account::Event& event : file.ledger.events()) ledger.add(scaled(event, factor));
    return ledger;
  };
  const account::Calibration found = account::calibrate(plan, options.epsilon, *delta);

  nlohmann::ordered_json object;
  std::string text = fmt::format("epsilon {:.6g} at delta {:.3g} with\n", found.epsilon, *delta);
  const account::Ledger ledger = plan(found.noise);
  const auto& events = ledger.events();
  if (events.size() == 1) {
    object["noise_multiplier"] = noise_of(events[0].mechanism());
  } else {
    object["noise_multiplier"] = nlohmann::ordered_json::object();
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const std::string label = events[i].label().empty() ? fmt::format("event {}", i) : events[i].label();
    if (events.size() > 1) object["noise_multiplier"][label] = noise_of(events[i].mechanism());
    text +=
        fmt::format("  {}: {} {:.6g}\n", label, account::kind(events[i].mechanism()), noise_of(events[i].mechanism()));
  }
  object["factor"] = found.noise;
  object["epsilon"] = found.epsilon;
  object["delta"] = *delta;
  print_result(session, object, text);
}

}  // namespace

void add_calibrate_command(CLI::App& app, Session& session) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand(
      "calibrate",
      "Find the smallest noise for a target epsilon. The noise of all events in the file is scaled by one factor");
  command->add_option("events", options->subject, "JSON file: a list of ledger lines, or an object with 'events'")
      ->required();
  command->add_option("-e,--epsilon", options->epsilon, "Target epsilon, more than 0")->required();
  command->add_option("-d,--delta", options->delta, "Delta, in [0, 1]");
  add_common_options(*command, session);
  command->callback([options, &session] { run_calibrate(*options, session); });
}

}  // namespace graphveil::cli
