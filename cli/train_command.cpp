// graphveil train: trains one method and writes a run folder.
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/method_options.h"
#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/load/format.h"
#include "graphveil/method/auto_choice.h"
#include "graphveil/method/lap.h"
#include "graphveil/method/registry.h"
#include "graphveil/report/run_folder.h"
#include "graphveil/report/train_run.h"

namespace graphveil::cli {
namespace {

// Everything one `train METHOD` command holds while it parses and runs.
struct TrainCommand {
  std::optional<method::AutoWishes> wishes;  // `train auto`
  method::AutoChoice choice;
  std::unique_ptr<method::Method> method;
  report::TrainSettings settings;
  method::Options options;
  TypedOptions typed;
  std::string data_path, private_path, public_path, out_path, config_path, target = "year";
  std::string preset = "default";
};

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json noise_json(const report::Certificate& certificate) {
  nlohmann::ordered_json noise = nlohmann::ordered_json::object();
  for (const mechanism::SpentLine& line : certificate.lines) noise[line.event.label()] = line.noise_scale;
  return noise;
}

nlohmann::ordered_json outcome_json(const report::TrainOutcome& outcome, double load_seconds, double train_seconds,
                                    const std::string& out) {
  const report::Certificate& c = outcome.certificate;
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (const report::Repeat& repeat : outcome.repeats) values.push_back(repeat.test_accuracy);
  nlohmann::ordered_json object;
  object["method"] = c.method;
  object["relation"] = bound::name(c.relation);
  object["accounting"] = method::name(c.accounting);
  object["covers"] = method::name(c.covers);
  object["epsilon"] = number_or_null(c.epsilon);
  object["delta"] = c.delta;
  object["valid"] = c.valid();
  object["reasons"] = c.reasons;
  if (c.published_epsilon) object["published_epsilon"] = *c.published_epsilon;
  object["noise"] = noise_json(c);
  object["noise_multiplier"] = outcome.noise;
  object["test_accuracy"] = nullptr;
  if (outcome.test_nodes > 0) {
    object["test_accuracy"] = {{"mean", outcome.test_accuracy.mean},
                               {"std", outcome.test_accuracy.std},
                               {"ci95", {outcome.test_accuracy.low, outcome.test_accuracy.high}},
                               {"values", values}};
  }
  object["seconds"] = {{"load", load_seconds},
                       {"calibrate", outcome.calibration_seconds},
                       {"train", train_seconds},
                       {"total", load_seconds + train_seconds}};
  object["peak_memory_mb"] = static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0);
  object["out"] = out;
  return object;
}

std::string outcome_text(const report::TrainOutcome& outcome, const std::string& out) {
  const nn::MeanInterval& a = outcome.test_accuracy;
  std::string text = outcome.test_nodes > 0 ? fmt::format("test accuracy  {:.1f}%", 100 * a.mean)
                                            : std::string("test accuracy  not measured: there are no test nodes");
  if (outcome.test_nodes > 0 && outcome.repeats.size() > 1) {
    text += fmt::format(" (95% interval {:.1f} to {:.1f} over {} repeats)", 100 * a.low, 100 * a.high,
                        outcome.repeats.size());
  }
  text += "\n" + report::in_words(outcome.certificate);
  if (!out.empty()) text += fmt::format("run folder     {}\n", out);
  return text;
}

// `train auto`: puts the chosen method in place, and says why.
void choose(TrainCommand& command, const graph::Dataset& data) {
  report::TrainSettings& settings = command.settings;
  const bound::Relation relation = report::chosen_relation(method::Lap(), data.graph, settings);
  command.choice = method::choose_method(*command.wishes, relation, report::planned_facts(data, settings));
  command.method = method::make_method(command.choice.method);
  settings.relation = relation;
  // From here on it is a run of that method, and its config file says so.
  command.options = {};
  settings.declare(command.options);
  command.method->declare(command.options);
  for (const auto& [name, value] : command.choice.options) command.options.set(name, value);
}

// One graph, or with --private and --public two.
struct Graphs {
  graph::Dataset data;
  std::optional<graph::Dataset> public_data;
};

Graphs read_graphs(const TrainCommand& command) {
  const load::ReadOptions options{load::facebook_target(command.target)};
  if (command.private_path.empty() && command.public_path.empty()) {
    require(!command.data_path.empty(),
            "no data: give --data with --private-nodes, --public-nodes and --public-test, or --private and --public");
    return {load::read_dataset(command.data_path, options), std::nullopt};
  }
  require(command.data_path.empty(), "--data is one graph to split; leave it out, or --private and --public");
  require(!command.private_path.empty(), "--private is missing: --public goes with the graph to protect");
  require(!command.public_path.empty(), "--public is missing: --private goes with a public graph to learn on");
  std::error_code ignored;
  require(!std::filesystem::equivalent(command.private_path, command.public_path, ignored),
          "--private and --public are the same file; what is private cannot be public too");
  return {load::read_dataset(command.private_path, options), load::read_dataset(command.public_path, options)};
}

void run_train(TrainCommand& command, const Session& session) {
  require(command.preset == "default" || command.preset == "paper", "--preset is '{}', want default or paper",
          command.preset);
  if (command.preset == "paper" && command.method) command.method->use_paper_settings();
  if (!command.config_path.empty()) apply_config(command.config_path, command.options);
  for (const auto& [name, value] : command.typed) command.options.set(name, value);

  // Found out now rather than after the training.
  if (!command.out_path.empty() && std::filesystem::exists(command.out_path)) {
    fail(ErrorKind::Io, "{}: exists already; choose another folder or remove it", command.out_path);
  }
  Timer timer;
  const Graphs graphs = read_graphs(command);
  const double load_seconds = timer.seconds();
  timer.restart();
  if (command.wishes) choose(command, graphs.data);
  report::TrainOutcome outcome = report::train(*command.method, graphs.data, command.settings,
                                               graphs.public_data ? &*graphs.public_data : nullptr);
  const double train_seconds = timer.seconds();
  if (!command.out_path.empty()) {
    report::write_run_folder(command.out_path, outcome, command.options, report::fingerprint(graphs.data));
  }
  nlohmann::ordered_json object = outcome_json(outcome, load_seconds, train_seconds, command.out_path);
  std::string text = outcome_text(outcome, command.out_path);
  if (command.wishes) {
    object["why"] = command.choice.why;
    object["options"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : command.choice.options) object["options"][name] = value;
    text = fmt::format("chose {}: {}\n", command.choice.method, command.choice.why) + text;
  }
  print_result(session, object, text);
}

}  // namespace

void add_train_command(CLI::App& app, Session& session) {
  CLI::App* train = app.add_subcommand("train", "Train a method and write a run folder with model and certificate");
  train->require_subcommand(1);
  std::vector<std::string> names = method::method_names();
  names.emplace_back("auto");
  for (const std::string& name : names) {
    auto command = std::make_shared<TrainCommand>();
    if (name != "auto") command->method = method::make_method(name);
    CLI::App* sub = train->add_subcommand(
        name, command->method ? command->method->describe().releases
                              : "Choose method and settings from public facts alone, and say why");
    CLI::Option* data = sub->add_option("--data", command->data_path, "Graph: file or folder, see docs/formats.md");
    const bool two_graphs = command->method && command->method->wants_public_graph();
    if (two_graphs) {
      sub->add_option("--private", command->private_path, "Instead of --data: the graph to protect");
      sub->add_option("--public", command->public_path,
                      "With --private: the public graph, its labels unused or absent");
    } else {
      data->required();
    }
    sub->add_option("-o,--out", command->out_path, "Run folder to write; must not exist");
    sub->add_option("--config", command->config_path, "TOML file of options; the command line wins over it");
    sub->add_option("--preset", command->preset, "default: ours. paper: the paper's settings")->capture_default_str();
    sub->add_option("--target", command->target, "Facebook100: the column to predict")->capture_default_str();
    command->settings.declare(command->options, two_graphs);
    if (command->method) {
      command->method->declare(command->options);
    } else {
      command->wishes.emplace().declare(command->options);
    }
    add_method_options(*sub, command->options, command->typed);
    add_common_options(*sub, session);
    sub->callback([command, &session] { run_train(*command, session); });
  }
}

}  // namespace graphveil::cli
