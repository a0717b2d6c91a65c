// graphveil calibrate: the smallest noise that meets a privacy target.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/changed_noise.h"
#include "cli/command.h"
#include "cli/events_file.h"
#include "cli/help.h"
#include "cli/method_options.h"
#include "graphveil/account/calibrate.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/error.h"
#include "graphveil/base/similar.h"
#include "graphveil/mechanism/release.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/experiment.h"
#include "graphveil/run/reserve.h"

namespace graphveil::cli {
namespace {

struct CalibrateOptions {
  std::string subject;
  double epsilon = 0;
  std::optional<double> delta;
};

struct NoiseOfMechanism {
  double operator()(const account::Gaussian& m) const { return m.noise_multiplier; }
  double operator()(const account::Laplace& m) const { return m.noise_multiplier; }
  double operator()(const account::Exponential& m) const { return m.range; }
  double operator()(const account::RandomizedResponse& m) const { return m.log_odds; }
  double operator()(const account::DiscreteLaplace& m) const { return m.noise_multiplier; }
  double operator()(const account::DiscreteGaussian& m) const { return m.noise_multiplier; }
};

// One mechanism, wherever it stands in a nest.
struct Line {
  std::string label;
  const account::Mechanism* mechanism;
  int64_t count;
};

// All mechanisms of an event, in order; labels of nests stand before those within.
void collect(const account::Event& event, const std::string& label, int64_t times, std::vector<Line>& out);

struct CollectBody {
  const std::string& label;
  int64_t times;  // of the whole event
  std::vector<Line>& out;
  void operator()(const account::Single& s) const { out.push_back({label, &s.mechanism, times}); }
  void operator()(const account::Sampled& s) const { inner(*s.event); }
  void operator()(const account::Composed& c) const {
    for (const account::Event& e : c.events) inner(e);
  }
  void operator()(const account::Tuned& t) const { inner(*t.event); }
  void inner(const account::Event& e) const {
    collect(e, e.label().empty() ? label : fmt::format("{} / {}", label, e.label()), times, out);
  }
};

void collect(const account::Event& event, const std::string& label, int64_t times, std::vector<Line>& out) {
  std::visit(CollectBody{label, times * event.count(), out}, event.body());
}

// One row of a trade-off: options, and the noise that goes with them.
struct TradeOff {
  method::OptionValues options;
  account::Mechanism mechanism;  // of the first line
};

std::string trade_off_text(const TradeOff& row) {
  std::string text = " ";
  for (const auto& [name, value] : row.options) text += fmt::format(" --{} {:<6}", name, value);
  text += fmt::format("  {} {:.4g}", account::kind(row.mechanism),
                      std::visit(NoiseOfMechanism{}, rounded(row.mechanism, 4)));
  if (const auto* response = std::get_if<account::RandomizedResponse>(&row.mechanism)) {
    text += fmt::format(", keeps {:.1f}% of labels",
                        100 * (1 - mechanism::flip_probability(response->log_odds, response->classes)));
  }
  return text + "\n";
}

std::vector<Line> lines_of(const account::Ledger& ledger) {
  std::vector<Line> lines;
  for (size_t i = 0; i < ledger.events().size(); ++i) {
    const account::Event& event = ledger.events()[i];
    collect(event, event.label().empty() ? fmt::format("event {}", i) : event.label(), 1, lines);
  }
  return lines;
}

// The noise to six digits, and what these cost.
std::string rounded_text(const account::Ledger& ledger, const account::Calibration& found, double delta) {
  const account::Ledger printed = changed(ledger, [](const account::Mechanism& m) { return rounded(m, 6); });
  const double epsilon = std::max(found.epsilon, account::spent_epsilon(printed, delta));
  std::string text = fmt::format("epsilon {} at delta {:.3g} with\n", artifact::epsilon_text(epsilon, 6), delta);
  for (const Line& line : lines_of(printed)) {
    text += fmt::format("  {}: {} {:.6g}, {} times\n", line.label, account::kind(*line.mechanism),
                        std::visit(NoiseOfMechanism{}, *line.mechanism), line.count);
  }
  return text;
}

// Prints what was found. `lines` has every mechanism in the ledger's order; `noise_multiplier` is the number when there
// is one line, else an object by label, for labels that no other line shares.
void print_calibration(const account::Ledger& ledger, const account::Calibration& found, double delta,
                       std::optional<double> published, const std::vector<TradeOff>& trade_offs,
                       const Session& session) {
  const std::vector<Line> lines = lines_of(ledger);
  std::map<std::string, int> uses;
  for (const Line& line : lines) ++uses[line.label];
  nlohmann::ordered_json object;
  object["noise_multiplier"] = nlohmann::ordered_json::object();
  object["lines"] = nlohmann::ordered_json::array();
  std::string text = rounded_text(ledger, found, delta);
  for (const Line& line : lines) {
    const double noise = std::visit(NoiseOfMechanism{}, *line.mechanism);
    const char* kind = account::kind(*line.mechanism);
    if (uses[line.label] == 1) object["noise_multiplier"][line.label] = noise;
    object["lines"].push_back({{"label", line.label}, {"kind", kind}, {"noise", noise}, {"count", line.count}});
  }
  if (lines.size() == 1) object["noise_multiplier"] = std::visit(NoiseOfMechanism{}, *lines[0].mechanism);
  if (published) {
    object["published_noise_multiplier"] = *published;
    text += fmt::format("the paper's own bound asks for {:.6g}\n", rounded_up(*published, 6));
  }
  if (!trade_offs.empty()) {
    text += "the same epsilon with\n";
    object["trade_offs"] = nlohmann::ordered_json::array();
  }
  for (const TradeOff& row : trade_offs) {
    nlohmann::ordered_json options = nlohmann::ordered_json::object();
    for (const auto& [name, value] : row.options) options[name] = value;
    object["trade_offs"].push_back({{"options", options},
                                    {"kind", account::kind(row.mechanism)},
                                    {"noise", std::visit(NoiseOfMechanism{}, row.mechanism)}});
    text += trade_off_text(row);
  }
  object["factor"] = found.noise;
  object["epsilon"] = found.epsilon;
  object["delta"] = delta;
  print_result(session, object, text);
}

void calibrate_events(const CalibrateOptions& options, const Session& session) {
  const std::vector<std::string> methods = method::method_names();
  if (!std::filesystem::exists(options.subject)) {
    const bool promises_nothing = std::find(methods.begin(), methods.end(), options.subject) != methods.end();
    require(!promises_nothing, "{} adds no noise, so there is nothing to calibrate", options.subject);
    require(false, "'{}' is neither a method nor a file of events{}", options.subject,
            did_you_mean(options.subject, methods));
  }
  const EventsFile file = read_events(options.subject);
  const std::optional<double> delta = options.delta ? options.delta : file.delta;
  require(delta.has_value(), "--delta is missing, and the events file names none");
  require(!file.ledger.empty(), "{}: has no events to calibrate", options.subject);

  const auto plan = [&](double factor) {
    return changed(file.ledger, [factor](const account::Mechanism& m) { return scaled(m, factor); });
  };
  const account::Calibration found = account::calibrate(plan, options.epsilon, *delta);
  print_calibration(plan(found.noise), found, *delta, std::nullopt, {}, session);
}

// `calibrate METHOD`: the method's options and the public facts its plan needs.
struct MethodCalibration {
  std::unique_ptr<run::Experiment> experiment;
  TypedOptions typed;
  method::PublicFacts facts;
  std::string preset = "default";
  bool directed = false;
};

void set_up(run::Experiment& experiment, const MethodCalibration& command) {
  experiment.use_preset(command.preset);
  for (const auto& [name, value] : command.typed) experiment.set(name, value);
}

// The noise of other values of the method's options, for the same epsilon.
std::vector<TradeOff> trade_offs(const run::Prepared& prepared, const MethodCalibration& command) {
  const method::Method& method = command.experiment->method();
  std::vector<TradeOff> out;
  // A fixed noise has nothing to give.
  if (prepared.as_published() || command.experiment->settings().noise_multiplier) return out;
  for (const method::OptionValues& options : method.trade_offs(prepared.setting)) {
    run::Experiment other(method.describe().name);
    set_up(other, command);
    for (const auto& [name, value] : options) other.set(name, value);
    const run::Prepared found = run::prepare(other, prepared.setting.relation, prepared.setting.facts);
    out.push_back({options, mechanism::mechanism_of(found.plan.lines().at(0).event).mechanism});
  }
  return out;
}

void calibrate_method(MethodCalibration& command, const Session& session) {
  run::Experiment& experiment = *command.experiment;
  set_up(experiment, command);
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
  const account::Ledger ledger = run::with_reserve(prepared.plan, prepared.reserved).ledger();
  const auto published = experiment.method().published(experiment.settings().epsilon, prepared.delta, prepared.setting);
  print_calibration(ledger, {prepared.noise, account::spent_epsilon(ledger, prepared.delta)}, prepared.delta,
                    published ? std::optional(published->noise) : std::nullopt, trade_offs(prepared, command), session);
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
    sub->add_option("--features", command->facts.features,
                    "Feature columns; lap and gap-ndp divide their budget by it at node level")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}))
        ->capture_default_str();
    if (command->experiment->method().wants_public_graph()) {
      sub->add_option("--public-pool", command->facts.public_pool, "Public nodes that may be given labels");
    }
    sub->add_flag("--directed", command->directed, "The graph is directed");
    sub->add_option("--preset", command->preset, preset_help(command->experiment->method()))->capture_default_str();
    add_method_options(*sub, command->experiment->options(), command->typed);
    add_common_options(*sub, session);
    group_options(*sub, command->experiment->options());
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
