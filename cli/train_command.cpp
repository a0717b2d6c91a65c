// graphveil train: trains one method and writes a run folder.
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cli/book_place.h"
#include "cli/budget_option.h"
#include "cli/checkpointing.h"
#include "cli/command.h"
#include "cli/curve_options.h"
#include "cli/help.h"
#include "cli/launch.h"
#include "cli/method_options.h"
#include "cli/rehearsal.h"
#include "cli/train_outcome.h"
#include "graphveil/account/accountant.h"
#include "graphveil/account/tuned.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/run_folder.h"
#include "graphveil/artifact/signature.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/curves.h"
#include "graphveil/base/error.h"
#include "graphveil/base/resources.h"
#include "graphveil/base/secret.h"
#include "graphveil/method/registry.h"
#include "graphveil/report/curve_files.h"
#include "graphveil/report/write_run.h"
#include "graphveil/run/about.h"
#include "graphveil/run/advise.h"
#include "graphveil/run/auto_choice.h"
#include "graphveil/run/compare.h"
#include "graphveil/run/input.h"
#include "graphveil/run/on_ranks.h"
#include "graphveil/run/resume.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {
namespace {

// Everything one `train METHOD` command holds while it parses and runs.
struct TrainCommand {
  std::string method;
  std::unique_ptr<run::Experiment> experiment;  // none for `train auto` until it has chosen
  // `train auto`
  std::optional<run::AutoWishes> wishes;
  run::AutoChoice choice;
  run::Settings auto_settings;
  Options auto_options;
  TypedOptions typed;
  run::RunInputs inputs;
  std::string out_path, config_path;
  bool compare = false;  // also run run::kRival
  std::string preset = "default";
  BudgetOption budget;
  CheckpointOptions checkpoints;
  CurveWishes curves;
  bool quick = false;  // everything small, whatever else was given
  bool rehearse = false;
  std::optional<double> majority;  // declared, for a rehearsal
  std::string lacking;             // `train auto`: facts that would help
  bool out_given = false;
  std::unique_ptr<artifact::Journal> journal;  // of a run that goes on, or of a new one that could

  const Options& declared() const { return experiment ? experiment->options() : auto_options; }
  void set(const std::string& name, const std::string& value) {
    experiment ? experiment->set(name, value) : auto_options.set(name, value);
  }
};

std::string comparison_text(const run::Experiment& experiment, const run::TrainOutcome& mine,
                            const run::TrainOutcome& other) {
  const double a = 100 * mine.test_accuracy.mean, b = 100 * other.test_accuracy.mean;
  const std::string name = experiment.method().describe().name;
  return fmt::format(
      "compared       {} {:.1f}%, {} {:.1f}%: {} won by {:.1f} (yours to know: whoever is told has seen two runs)\n",
      name, a, run::kRival, b, a >= b ? name : run::kRival, std::abs(a - b));
}

// For how many nodes the epsilon that is quoted is too small: the holder's to know.
std::string degree_text(const artifact::Certificate& c, const method::Method& method, const graph::Graph& graph) {
  if (c.relation != bound::Relation::Node || method.every_degree() || !c.epsilon) return "";
  int64_t above = 0;
  for (int64_t v = 0; v < graph.nodes(); ++v) above += graph.out_degree(v) > c.protect_degree;
  if (above == 0) return "";
  return fmt::format(
      "degrees        {} of {} nodes have more than {} outgoing edges: for them epsilon is larger (yours to "
      "know)\n",
      above, graph.nodes(), c.protect_degree);
}

// What the noise means, before anything is trained. Returns the warnings among it.
std::vector<std::string> show_outlook(const run::Prepared& prepared) {
  const method::Method& method = prepared.experiment->method();
  if (const std::string variant = method.variant(); !variant.empty()) {
    fmt::print(stderr, "{}: {}\n", method.describe().name, variant);
  }
  for (const std::string& line : prepared.experiment->method().outlook(prepared.plan, prepared.setting)) {
    fmt::print(stderr, "{}\n", line);
  }
  std::vector<std::string> warnings = run::drowned_warnings(prepared);
  for (const std::string& line : warnings) fmt::print(stderr, "warning: {}\n", line);
  return warnings;
}

// Of what `train auto` chose: how strong it is against its noise.
void show_signal(const run::Prepared& prepared, const std::optional<double>& mean_degree) {
  const std::string text = run::signals_text(run::signals_of(prepared, mean_degree));
  if (!text.empty()) fmt::print(stderr, "signal over noise, at most: {}\n", text);
}

// Of the run folder, mostly predictions: an id and a number for each class.
int64_t expected_bytes(const run::InputData& input) {
  const graph::Dataset& about = input.public_data ? *input.public_data : input.data;
  return (int64_t{4} << 20) + about.nodes() * (24 + 10 * int64_t{input.data.classes});
}

// What `train auto` chose, why, and what it would rather have known; empty for a method that was named.
std::string chosen_text(const TrainCommand& command) {
  if (!command.wishes) return "";
  std::string text = fmt::format("chose {}: {}\n", command.choice.method, command.choice.why);
  if (!command.lacking.empty()) text += fmt::format("{}\n", command.lacking);
  return text;
}

// What only one process can do.
void check_alone(const TrainCommand& command) {
  const auto refuse = [](bool wanted, const char* option) {
    if (wanted) fail(ErrorKind::Unsupported, "{} runs on one machine: leave it out, or mpirun", option);
  };
  refuse(command.wishes.has_value(), "train auto");
  refuse(command.rehearse, "--rehearse");
  refuse(command.compare, "--compare");
  run::check_on_ranks(*command.experiment);
}

void run_train(TrainCommand& command, const Session& session) {
  require(!command.rehearse || (!command.out_given && !command.compare && command.inputs.signing_key.empty()),
          "--rehearse keeps nothing and compares nothing: leave --out, --sign and --compare out");
  require(command.rehearse || !command.majority, "--majority is for --rehearse: a run reads the labels themselves");
  if (command.experiment) {
    command.experiment->use_preset(command.preset);
  } else {
    require(
        command.preset == "default",
        "--preset is '{}'; `auto` finds the settings itself and has none but default. A preset belongs to a method: "
        "graphveil train METHOD --preset ...",
        command.preset);
  }
  if (!command.config_path.empty()) {
    apply_config(command.config_path, command.declared(),
                 [&](const std::string& name, const std::string& value) { command.set(name, value); });
  }
  for (const auto& [name, value] : command.typed) command.set(name, value);
  if (command.quick) {
    for (const auto& [name, value] : command.experiment->method().quick({})) command.set(name, value);
  }

  if (current_ranks() != nullptr) check_alone(command);
  // Found out now rather than after the training.
  SecretText key;
  if (!command.inputs.signing_key.empty() && first_rank()) {
    require(!command.out_path.empty(), "--sign signs a certificate, and there is no --out to write one to");
    key = artifact::read_private_key(command.inputs.signing_key);
    artifact::sign(key.text(), "");
  }
  if (first_rank()) command.curves.check();
  std::optional<artifact::RunFolder> folder;
  if (command.out_given && first_rank()) folder.emplace(command.out_path);
  Timer timer;
  run::InputPaths own = command.inputs.graphs;
  for (std::string* const path : {&own.data, &own.private_graph, &own.public_graph}) {
    if (!path->empty()) *path = own_file(*path);
  }
  const run::InputData input = run::read_input(own);
  check_same_graph(input.data);
  if (input.public_data) check_same_public_graph(*input.public_data);
  const std::string& book_beside = own.data.empty() ? own.private_graph : own.data;
  const std::optional<std::string> book = find_book(command.budget, book_beside);
  check_books(book.has_value());
  const double load_seconds = timer.seconds();
  timer.restart();
  if (folder) folder->reserve(expected_bytes(input));
  if (command.wishes) {
    run::AutoExperiment chosen = run::choose_experiment(*command.wishes, command.auto_options, input);
    command.experiment = std::move(chosen.experiment);
    command.choice = std::move(chosen.choice);
    command.lacking = std::move(chosen.lacking);
  }
  run::take_about(*command.experiment, input.data);
  const run::Experiment& experiment = *command.experiment;
  if (!first_rank()) return run::train_beside(experiment, input);
  if (command.rehearse) {
    run_rehearsal(experiment, input,
                  {.mean_degree = command.wishes ? command.wishes->mean_degree : run::declared_degree(experiment),
                   .majority = command.majority},
                  chosen_text(command), session);
    return;
  }
  const bool symmetric = input.data.graph.symmetric();
  // What promises nothing has no relation to warn of.
  const bound::Relation relation = run::chosen_relation(experiment, symmetric);
  if (!experiment.method().relations().empty()) fmt::print(stderr, "{}", artifact::caveat(relation, symmetric));
  if (command.compare) run::check_comparable(experiment, symmetric);
  if (const std::string other = other_book(command.budget, book_beside); !other.empty()) {
    fmt::print(stderr, "{}\n", other);
  }
  command.inputs.book = book.value_or("");
  if (command.journal) {
    run::check_same_data(*command.journal, experiment, input);
  } else if (command.out_given) {
    command.journal =
        run::new_journal(command.out_path, experiment, command.inputs, input, seal_key(command.checkpoints));
  }
  artifact::Journal* journal = command.journal.get();
  std::vector<std::string> warnings;
  std::optional<BookPlace> place;
  if (book) place.emplace(*book, input, journal != nullptr ? journal->run_name() : "");
  const Checkpointing checkpoints(command.out_path, journal, command.checkpoints);
  run::TrainHooks hooks{.log = journal};
  hooks.planned = [&](const run::Prepared& prepared) {
    warnings = show_outlook(prepared);
    if (command.wishes) show_signal(prepared, command.wishes->mean_degree);
    if (!place) return;
    place->reserve(prepared, experiment.settings().seed.has_value());
    if (command.compare || experiment.settings().repeats > 1) {
      place->note("other trainings beside it, for their accuracy (--repeats, --compare)");
    }
  };
  hooks.before_noise = [&] {
    if (journal != nullptr) journal->stay();
    if (place) place->draw();
  };
  if (journal != nullptr) hooks.seed = journal->seed();
  CurveRecorder curves;
  std::optional<CurveScope> listening;
  if (folder || command.curves.any()) listening.emplace(curves);
  run::TrainOutcome outcome = run::train(experiment, input, hooks);
  listening.reset();
  const double train_seconds = timer.seconds();
  if (place) place->mark(outcome);
  const auto spend = [&](const std::string& digest) {
    if (place) place->spend(digest);
  };
  if (folder) {
    if (!curves.curves().empty()) {
      folder->write(artifact::kHolder, report::kCurves, report::curves_csv(curves.curves()));
    }
    report::write_run(*folder, outcome, outcome.ran(experiment),
                      journal != nullptr ? journal->head().data.front() : artifact::fingerprint(input.data),
                      key.text().empty() ? nullptr : &key.text(), spend);
  } else {
    spend("");  // seen, and not kept
  }
  // In this order: what a kill in between leaves, --resume clears away.
  checkpoints.remove();
  if (journal != nullptr) journal->finish();
  write_curves(command.curves, curves.curves(), outcome, outcome.ran(experiment));
  nlohmann::ordered_json object = outcome_json(outcome, load_seconds, train_seconds, command.out_path);
  object["warnings"] = warnings;
  std::string text = outcome_text(outcome, command.experiment->settings().metric, command.out_path);
  text += degree_text(outcome.certificate, experiment.method(), input.data.graph);
  if (command.compare) {
    const run::TrainOutcome other = run::train(*run::rival_of(experiment), input);
    object["compared"] = {{"method", run::kRival}, {"test_accuracy", other.test_accuracy.mean}};
    text += comparison_text(experiment, outcome, other);
  }
  if (command.wishes) {
    object["why"] = command.choice.why;
    object["options"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : command.choice.options) object["options"][name] = value;
    object["lacking"] = command.lacking;
    text = chosen_text(command) + text;
  }
  print_result(session, object, text);
}

// `train --resume FOLDER`: the command of the journal, from where it was killed.
void resume(const std::string& folder, const CheckpointOptions& checkpoints, const Session& session) {
  run::Resumed found = run::resume(folder, seal_key(checkpoints));
  TrainCommand command;
  command.checkpoints = checkpoints;
  command.budget.given = found.inputs.book;
  command.journal = std::move(found.journal);
  command.method = found.experiment->method().describe().name;
  command.experiment = std::move(found.experiment);
  command.inputs = std::move(found.inputs);
  command.out_path = folder;
  command.out_given = true;
  run_train(command, session);
}

const char* group_title(method::Role role) {
  switch (role) {
    case method::Role::Yours: return "Methods";
    case method::Role::Baseline: return "Baselines";
    case method::Role::Reference: return "References without a guarantee";
  }
  return "";
}

}  // namespace

void add_train_command(CLI::App& app, Session& session) {
  CLI::App* train = app.add_subcommand("train", "Train a method and write a run folder with model and certificate");
  train->require_subcommand(0, 1);
  auto folder = std::make_shared<std::string>();
  CLI::Option* resumed =
      train->add_option("--resume", *folder, "Go on with the run of this folder that was stopped or killed");
  auto again = std::make_shared<CheckpointOptions>();
  add_checkpoint_options(*train, *again);
  add_common_options(*train, session);
  add_memory_options(*train, session);
  train->callback([folder, again, train, &session] {
    if (!train->get_subcommands().empty()) return;
    require(!folder->empty(), "no method: name one of `graphveil methods`, or auto; or give --resume FOLDER");
    require(!session.start_ranks, "--resume goes on with a run on one machine: leave mpirun out");
    resume(*folder, *again, session);
  });
  std::vector<std::string> names = method::method_names();
  names.insert(names.begin(), "auto");
  for (const std::string& name : names) {
    auto command = std::make_shared<TrainCommand>();
    command->method = name;
    if (name != "auto") {
      command->experiment = std::make_unique<run::Experiment>(name);
    } else {
      command->auto_settings.declare(command->auto_options);
      command->wishes.emplace().declare(command->auto_options);
    }
    CLI::App* sub = train->add_subcommand(
        name, command->experiment ? command->experiment->method().describe().releases
                                  : "Choose method and settings from public facts alone, and say why");
    sub->excludes(resumed);
    sub->group(name == "auto" ? "Methods" : group_title(method::role_of(name)));
    CLI::Option* data = sub->add_option("--data", command->inputs.graphs.data,
                                        "Graph: file or folder; formats: graphveil data info --help");
    if (command->experiment && command->experiment->method().wants_public_graph()) {
      sub->add_option("--private", command->inputs.graphs.private_graph, "Instead of --data: the graph to protect");
      sub->add_option("--public", command->inputs.graphs.public_graph,
                      "With --private: the public graph, its labels unused or absent");
    } else {
      data->required();
    }
    if (command->experiment && run::can_compare(command->experiment->method())) {
      sub->add_flag("--compare", command->compare,
                    fmt::format("Also run `{}` at the same epsilon, and say which won", run::kRival));
    }
    CLI::Option* out = sub->add_option("-o,--out", command->out_path, "Run folder to write; must not exist");
    CLI::Option* sign =
        sub->add_option("--sign", command->inputs.signing_key, "Ed25519 private key (PEM) that signs the certificate");
    add_budget_option(*sub, command->budget);
    add_checkpoint_options(*sub, command->checkpoints);
    add_curve_options(*sub, command->curves);
    sub->add_option("--config", command->config_path, "TOML file of options; the command line wins over it");
    sub->add_option("--preset", command->preset,
                    command->experiment ? preset_help(command->experiment->method()) : "default: the only one here")
        ->capture_default_str();
    if (command->experiment) {
      sub->add_flag("--quick", command->quick,
                    "Try the command out in seconds: few steps and queries, narrow layers, whatever else is given");
    }
    sub->add_flag("--rehearse", command->rehearse,
                  "Train on made-up people of the same public numbers: what to expect, at no cost; nothing is kept");
    sub->add_option("--majority", command->majority,
                    "With --rehearse: the share of the largest class that you declare public, say 0.7")
        ->check(CLI::Range(0.0, 1.0));
    sub->add_option("--target", command->inputs.graphs.target, "Facebook100: the column to predict")
        ->capture_default_str();
    add_method_options(*sub, command->declared(), command->typed);
    add_common_options(*sub, session);
    add_memory_options(*sub, session);
    add_rank_options(*sub, session);
    group_options(*sub, command->declared());
    if (command->experiment && !command->experiment->method().variant().empty()) {
      sub->footer(wrapped("By default: " + command->experiment->method().variant() + ".", terminal_width()));
    }
    sub->callback([command, out, sign, &session] {
      require(sign->count() == 0 || !command->inputs.signing_key.empty(),
              "--sign is empty, want the file of a private key");
      command->out_given = out->count() > 0;
      join_ranks(session);
      try {
        run_train(*command, session);
      } catch (...) {
        command->journal.reset();  // ranks end without unwinding
        throw;
      }
    });
  }
}

}  // namespace graphveil::cli
