// graphveil calibrate: the smallest noise that meets a privacy target.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/events_file.h"
#include "cli/method_options.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/base/error.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/experiment.h"

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

// Prints what was found: one noise, or one per line.
void print_calibration(const account::Ledger& ledger, const account::Calibration& found, double delta,
                       std::optional<double> published, const Session& session) {
  nlohmann::ordered_json object;
  std::string text = fmt::format("epsilon {:.6g} at delta {:.3g} with\n", found.epsilon, delta);
  const auto& events = ledger.events();
  if (events.size() == 1) {
    object["noise_multiplier"] = noise_of(events[0].mechanism());
  } else {
    object["noise_multiplier"] = nlohmann::ordered_json::object();
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const std::string label = events[i].label().empty() ? fmt::format("event {}", i) : events[i].label();
    if (events.size() > 1) object["noise_multiplier"][label] = noise_of(events[i].mechanism());
    text += fmt::format("  {}: {} {:.6g}, {} times\n", label, account::kind(events[i].mechanism()),
                        noise_of(events[i].mechanism()), events[i].count());
  }
  if (published) {
    object["published_noise_multiplier"] = *published;
    text += fmt::format("the paper's own bound asks for {:.6g}\n", *published);
  }
  object["factor"] = found.noise;
  object["epsilon"] = found.epsilon;
  object["delta"] = delta;
  print_result(session, object, text);
}

void calibrate_events(const CalibrateOptions& options, const Session& session) {
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
  print_calibration(plan(found.noise), found, *delta, std::nullopt, session);
}

// `calibrate METHOD`: the method's options and the public facts its plan needs.
struct MethodCalibration {
  std::unique_ptr<run::Experiment> experiment;
  TypedOptions typed;
  method::PublicFacts facts;
  std::string preset = "default";
  bool directed = false;
};

void calibrate_method(MethodCalibration& command, const Session& session) {
  run::Experiment& experiment = *command.experiment;
  experiment.use_preset(command.preset);
  for (const auto& [name, value] : command.typed) experiment.set(name, value);
  const bound::Relation relation = run::chosen_relation(experiment, !command.directed);
  method::PublicFacts facts = command.facts;
  if (bound::edge_level(relation)) {
    require(experiment.settings().delta || facts.nodes >= 1,
            "--nodes is missing: at edge level delta is found from it; or give --delta");
    facts.train_nodes = std::max<int64_t>(facts.train_nodes, 1);  // no plan at edge level depends on it
  } else {
    require(facts.train_nodes >= 1,
            "--train-nodes is missing: at node level the plan depends on the number of training nodes");
  }
  const run::Prepared prepared = run::prepare(experiment, relation, facts);
  require(!prepared.plan.empty(), "{} releases nothing that needs noise", experiment.method().describe().name);
  const account::Ledger ledger = prepared.plan.ledger();
  const auto published =
      experiment.method().published(experiment.settings().epsilon, prepared.delta, prepared.setting);
  print_calibration(ledger, {prepared.noise, account::spent_epsilon(ledger, prepared.delta)}, prepared.delta,
                    published ? std::optional(published->noise) : std::nullopt, session);
}

void add_method_calibrations(CLI::App& calibrate, Session& session) {
  for (const std::string& name : method::method_names()) {
    auto command = std::make_shared<MethodCalibration>();
    command->experiment = std::make_unique<run::Experiment>(name);
    command->facts.classes = 2;
    if (command->experiment->method().relations().empty()) continue;
    CLI::App* sub = calibrate.add_subcommand(name, "The noise of " + name + ", from public facts alone");
    sub->add_option("--nodes", command->facts.nodes, "Nodes; at edge level delta can be found from it");
    sub->add_option("--train-nodes", command->facts.train_nodes, "Training nodes; node level needs it");
    sub->add_option("--classes", command->facts.classes, "Classes")->capture_default_str();
    sub->add_flag("--directed", command->directed, "The graph is directed");
    sub->add_option("--preset", command->preset, "default: ours. paper: the paper's settings")->capture_default_str();
    add_method_options(*sub, command->experiment->options(), command->typed);
    add_common_options(*sub, session);
    sub->callback([command, &session] { calibrate_method(*command, session); });
  }
}

}  // namespace

void add_calibrate_command(CLI::App& app, Session& session) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command =
      app.add_subcommand("calibrate",
                         "Find the smallest noise for a target epsilon: of a method, or of a file of events, all of "
                         "whose noise is then scaled by one factor");
  command->add_option("events", options->subject, "JSON file: a list of ledger lines, or an object with 'events'");
  command->add_option("-e,--epsilon", options->epsilon, "Target epsilon, more than 0");
  command->add_option("-d,--delta", options->delta, "Delta, in [0, 1]");
  add_common_options(*command, session);
  command->require_subcommand(0, 1);
  add_method_calibrations(*command, session);
  command->callback([options, command, &session] {
    if (!command->get_subcommands().empty()) return;
    require(!options->subject.empty(), "nothing to calibrate: give a method or an events file");
    calibrate_events(*options, session);
  });
}

}  // namespace graphveil::cli
