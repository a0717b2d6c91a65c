// graphveil audit: tries to prove a claimed epsilon wrong; exit 1 when it does.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/budget_option.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/method_options.h"
#include "graphveil/attack/allowed_roc.h"
#include "graphveil/attack/clopper_pearson.h"
#include "graphveil/attack/mechanism_audit.h"
#include "graphveil/attack/published_claims.h"
#include "graphveil/attack/training_audit.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/generate.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {
namespace {

using attack::AuditRow;

constexpr const char* kMechanisms = "mechanisms";
constexpr const char* kClaims = "claims";

struct AuditCommand {
  std::string target;                           // a method, or one of the two words above
  std::unique_ptr<run::Experiment> experiment;  // of a method
  TypedOptions typed;
  std::string data_path, facebook_target = "year", config_path, preset = "default", out_path;
  double confidence = 0.999;
  double draws = 1.5e8;
  std::optional<int64_t> trials;
  bool train = false;
  int64_t models = 1000;
  std::string canary = "own";
  std::vector<int64_t> degrees;
  BudgetOption budget;
  // Of the two words.
  double epsilon = 1, delta = 1e-3;
  std::optional<int64_t> seed;
};

// Where the user gave no data: sizes of a small study.
constexpr method::PublicFacts kFacts{
    .nodes = 1000, .train_nodes = 750, .features = 16, .classes = 4, .public_pool = 200};
constexpr int64_t kCanaryNodes = 120, kCanaryDegree = 4;
constexpr double kDelta = 1e-3;  // an audit sees no further than the rarest event it has drawn a hundred times

// Short trainings, so that there can be many; what the user says stands.
void shorten(run::Experiment& experiment) {
  for (const auto& [name, value] : experiment.method().quick({})) experiment.set(name, value);
  if (!experiment.method().wants_public_graph()) return;
  for (const auto& [name, value] :
       {std::pair{"private-nodes", "120"}, {"public-nodes", "100"}, {"public-test", "20"}}) {
    experiment.set(name, value);
  }
}

void apply_options(AuditCommand& command) {
  run::Experiment& experiment = *command.experiment;
  experiment.use_preset(command.preset);
  // Fewer receivers to draw noise for; the price of a plan does not depend on their number.
  experiment.set("protect-degree", fmt::format("{}", kCanaryDegree));
  const auto set_what_was_given = [&] {
    if (!command.config_path.empty()) {
      apply_config(command.config_path, experiment.options(),
                   [&](const std::string& name, const std::string& value) { experiment.set(name, value); });
    }
    for (const auto& [name, value] : command.typed) experiment.set(name, value);
  };
  set_what_was_given();
  if (!command.train || command.preset != "default") return;
  // What makes a run small depends on what was given (a backbone from a file is as large as it is), which stands.
  shorten(experiment);
  set_what_was_given();
}

run::Prepared prepare(AuditCommand& command, bool symmetric, const method::PublicFacts& facts) {
  run::Experiment& experiment = *command.experiment;
  const bound::Relation relation = run::chosen_relation(experiment, symmetric);
  run::Prepared prepared = run::prepare(experiment, relation, facts);
  if (experiment.settings().delta || !(prepared.delta > 0)) return prepared;
  experiment.set("delta", fmt::format("{}", kDelta));
  return run::prepare(experiment, relation, facts);
}

std::vector<AuditRow> audit_mechanisms(AuditCommand& command) {
  method::PublicFacts facts = kFacts;
  bool symmetric = true;
  if (!command.data_path.empty()) {
    const run::InputData input{
        files::read_dataset(command.data_path, {files::facebook_target(command.facebook_target)}), std::nullopt};
    facts = run::planned_facts(*command.experiment, input);
    symmetric = input.data.graph.symmetric();
  }
  const run::Prepared prepared = prepare(command, symmetric, facts);
  require(prepared.is_private(),
          "{} promises nothing, so there is no claim to audit; with --train it is shown what "
          "it gives away",
          command.target);
  return attack::audit_plan(prepared, {.confidence = command.confidence,
                                       .trials = command.trials,
                                       .draws = command.draws,
                                       .seed = run::run_seed(command.experiment->settings())});
}

std::vector<bound::Relation> canary_kinds(const std::string& word, bound::Relation own) {
  using bound::Relation;
  const Relation edge = own == Relation::Edge ? Relation::Edge : Relation::UndirectedEdge;
  if (word == "own") return {own};
  if (word == "edge") return {edge};
  if (word == "record") return {Relation::Record};
  if (word == "node") return {Relation::Node};
  return {edge, Relation::Record, Relation::Node};
}

std::vector<AuditRow> audit_trainings(AuditCommand& command) {
  const Seed seed = run::run_seed(command.experiment->settings());
  run::InputData input;
  if (command.data_path.empty()) {
    const bool two = command.experiment->method().wants_public_graph();
    input.data = graph::generate(graph::preset("tiny", two ? 2 * kCanaryNodes : kCanaryNodes), Seed::from_number(1));
  } else {
    input.data = files::read_dataset(command.data_path, {files::facebook_target(command.facebook_target)});
    note_look(command.budget, command.data_path, "audit " + command.target + " --train", input.data);
  }
  const run::Parts parts = run::make_parts(*command.experiment, input, seed.derived("split"));
  const run::Prepared prepared = prepare(command, parts.data.graph.symmetric(), run::public_facts(parts, input));
  std::vector<int64_t> degrees = command.degrees;
  if (degrees.empty()) degrees = command.canary == "all" ? std::vector<int64_t>{1, 4, 16} : std::vector{kCanaryDegree};
  std::vector<AuditRow> rows;
  const bound::Relation own = prepared.is_private() ? prepared.setting.relation : bound::Relation::Node;
  for (const bound::Relation change : canary_kinds(command.canary, own)) {
    for (const int64_t degree : degrees) {
      const attack::CanaryPair canary = attack::canary_pair(parts.data, attack::canary_node(parts), degree, change);
      rows.push_back(attack::audit_training(
          prepared, parts, canary, {.confidence = command.confidence, .models = command.models, .seed = seed}));
    }
  }
  return rows;
}

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json row_json(const AuditRow& row) {
  const auto trials = static_cast<double>(std::max<int64_t>(row.bound.trials, 1));
  const double true_rate = static_cast<double>(row.bound.hits) / trials;
  const double false_rate = static_cast<double>(row.bound.false_hits) / trials;
  return {{"what", row.what},
          {"epsilon_claimed", number(row.claimed)},
          {"epsilon_low", row.bound.low},
          {"delta", row.delta},
          {"confidence", row.confidence},
          {"refuted", row.refuted()},
          {"trials", row.bound.trials},
          {"hits", row.bound.hits},
          {"false_hits", row.bound.false_hits},
          {"tpr", true_rate},
          {"fpr", false_rate},
          // What the claim allows at that rate of false positives; null: nothing is claimed.
          {"tpr_allowed", std::isfinite(row.claimed) ? number(attack::allowed_tpr(false_rate, row.claimed, row.delta))
                                                     : nlohmann::ordered_json(nullptr)}};
}

// The row that a reader should hear of: the one that is refuted by most, else the last.
const AuditRow& headline(const std::vector<AuditRow>& rows) {
  const AuditRow* best = &rows.back();
  for (const AuditRow& row : rows) {
    const bool worse = !best->refuted() || row.bound.low - row.claimed > best->bound.low - best->claimed;
    if (row.refuted() && worse) best = &row;
  }
  return *best;
}

std::string table(const std::vector<AuditRow>& rows) {
  std::string text = fmt::format("{:<48} {:>9} {:>9} {:>9}\n", "", "claimed", "at least", "delta");
  for (const AuditRow& row : rows) {
    text += fmt::format("{:<48} {:>9} {:>9.3f} {:>9.3g}{}\n", row.what,
                        std::isfinite(row.claimed) ? fmt::format("{:.3f}", row.claimed) : "nothing", row.bound.low,
                        row.delta, row.refuted() ? "  REFUTED" : "");
  }
  return text;
}

// The largest epsilon that so many trials can show, and their number.
std::pair<double, int64_t> most_shown(const std::vector<AuditRow>& rows) {
  double most = 0;
  int64_t trials = 0;
  for (const AuditRow& row : rows) {
    if (row.bound.trials == 0) continue;
    trials = row.bound.trials;
    const double error = (1 - row.confidence) / 2;
    most = std::log((attack::probability_low(trials, trials, error) - row.delta) /
                    attack::probability_high(0, trials, error));
  }
  return {std::max(most, 0.0), trials};
}

void show(const AuditCommand& command, const std::vector<AuditRow>& rows, Session& session) {
  const AuditRow& main = headline(rows);
  nlohmann::ordered_json object{
      {"target", command.target},
      {"accounting",
       command.experiment ? std::string(account::name(command.experiment->settings().accounting)) : "tight"},
      {"level", command.train ? "training" : "mechanism"},
      {"epsilon_claimed", number(main.claimed)},
      {"epsilon_low", main.bound.low},
      {"delta", main.delta},
      {"confidence", main.confidence},
      {"refuted", main.refuted()},
      {"rows", nlohmann::ordered_json::array()}};
  if (command.target == kClaims) object["accounting"] = "published";
  for (const AuditRow& row : rows) object["rows"].push_back(row_json(row));
  if (!command.out_path.empty()) {
    files::AtomicFile file(command.out_path);
    const std::string text = object.dump(2) + "\n";
    file.write(std::as_bytes(std::span(text)));
    file.commit(0600);
  }
  std::string text = table(rows);
  text += main.refuted()
              ? fmt::format(
                    "Refuted: epsilon is at least {:.3f} at delta {:.3g}, and {:.3f} was claimed (confidence {}).\n",
                    main.bound.low, main.delta, main.claimed, main.confidence)
              : fmt::format("Nothing refuted (confidence {} of every lower bound).\n", main.confidence);
  if (command.train) {
    const auto [most, trials] = most_shown(rows);
    text += fmt::format(
        "{} models a side are judged: they show epsilon {:.2f} at the most, whatever leaks. A lower bound of 0 says "
        "nothing.\n",
        trials, most);
  }
  print_result(session, object, text);
  if (main.refuted()) session.exit_code = kAnswerIsNo;
}

void run_audit(AuditCommand& command, Session& session) {
  require(command.confidence > 0 && command.confidence < 1, "--confidence is {}, want more than 0 and less than 1",
          command.confidence);
  if (!command.out_path.empty() && std::filesystem::exists(command.out_path)) {
    fail(ErrorKind::Io, "{}: exists already; choose another file or remove it", command.out_path);
  }
  if (!command.experiment) {
    require(std::isfinite(command.epsilon) && command.epsilon > 0, "--epsilon is {}, want a positive number",
            command.epsilon);
    require(command.delta > 0 && command.delta < 1, "--delta is {}, want more than 0 and less than 1", command.delta);
    const Seed seed = command.seed ? Seed::from_number(static_cast<uint64_t>(*command.seed)) : Seed::from_system();
    const attack::AuditOptions options{
        .confidence = command.confidence, .trials = command.trials, .draws = command.draws, .seed = seed};
    show(command,
         command.target == kClaims ? attack::audit_published_claims(command.epsilon, command.delta, options)
                                   : attack::audit_mechanisms(command.epsilon, command.delta, options),
         session);
    return;
  }
  apply_options(command);
  require(!command.experiment->settings().tune,
          "--tune is for train: an audit looks at one training, and a search is priced as the best of several");
  require(command.train || (command.canary == "own" && command.degrees.empty()),
          "--canary and --degrees go with --train: mechanisms have worst-case neighbors of their own");
  if (command.budget.typed() && (!command.train || command.data_path.empty())) {
    fmt::print(stderr, "{}: nothing is noted: {}\n", command.budget.given,
               command.train ? "without --data the trainings are on made-up records"
                             : "mechanisms are tried on made-up values, of a graph its public sizes alone are read");
  }
  show(command, command.train ? audit_trainings(command) : audit_mechanisms(command), session);
}

void add_audit_options(CLI::App& sub, AuditCommand& command) {
  sub.add_option("--confidence", command.confidence,
                 "Of each lower bound. At 0.95 one audit in twenty of a tight claim is a false alarm")
      ->capture_default_str();
  sub.add_option("--draws", command.draws, "Random numbers that each side of a mechanism may draw")
      ->check(CLI::Range(1e4, 1e12))
      ->capture_default_str();
  sub.add_option("--trials", command.trials, "Trials on each side of a mechanism; default: as many as --draws allows")
      ->check(CLI::Range(int64_t{100}, int64_t{200'000'000}));
  sub.add_option("-o,--out", command.out_path, "JSON file to write the table to; must not exist");
}

}  // namespace

void add_audit_command(CLI::App& app, Session& session, bool whole) {
  CLI::App* audit = app.add_subcommand(
      "audit",
      "Try to prove a claimed epsilon wrong: mechanisms on their worst-case neighbors, or (--train) whole trainings "
      "with "
      "and without a canary; exit 1 when refuted. For example: graphveil audit gap-edp -e 4; graphveil audit claims -e "
      "4; graphveil audit lap --relation record --train --canary all");
  audit->require_subcommand(1);
  if (!whole) return;
  for (const auto& [word, help] :
       {std::pair{kMechanisms, "Every mechanism of graphveil by itself, with the least noise for --epsilon"},
        {kClaims, "Claims of the papers that do not hold, with the papers' own noise for --epsilon"}}) {
    auto command = std::make_shared<AuditCommand>();
    command->target = word;
    CLI::App* sub = audit->add_subcommand(word, help);
    sub->add_option("-e,--epsilon", command->epsilon, "What is claimed")->capture_default_str();
    sub->add_option("-d,--delta", command->delta, "At this delta")->capture_default_str();
    sub->add_option("-s,--seed", command->seed, "For the same trials again; default: secret randomness");
    add_audit_options(*sub, *command);
    add_common_options(*sub, session);
    sub->callback([command, &session] { run_audit(*command, session); });
  }
  for (const std::string& name : method::method_names()) {
    auto command = std::make_shared<AuditCommand>();
    command->target = name;
    command->experiment = std::make_unique<run::Experiment>(name);
    CLI::App* sub = audit->add_subcommand(name, command->experiment->method().describe().releases);
    sub->add_flag("--train", command->train, "Whole trainings with and without a canary, in place of mechanisms");
    sub->add_option("--models", command->models, "With --train: trainings on each side")
        ->check(CLI::Range(int64_t{24}, int64_t{10'000'000}))
        ->capture_default_str();
    sub->add_option("--canary", command->canary,
                    "With --train: what is there or not. own: what the relation protects; all: an edge, a record, a "
                    "node with all its edges, side by side")
        ->check(CLI::IsMember({"own", "edge", "record", "node", "all"}))
        ->capture_default_str();
    sub->add_option("--degrees", command->degrees, "With --train: degrees of the canary's node, such as 1,4,16")
        ->delimiter(',')
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
    sub->add_option("--data", command->data_path,
                    "Graph whose sizes, or (--train) records, to take; default: a small one");
    sub->add_option("--target", command->facebook_target, "Facebook100: the column to predict")->capture_default_str();
    sub->add_option("--config", command->config_path, "TOML file of options; the command line wins over it");
    sub->add_option("--preset", command->preset, "default: ours, short with --train. paper: the paper's settings")
        ->capture_default_str();
    add_audit_options(*sub, *command);
    add_budget_option(*sub, command->budget);
    add_method_options(*sub, command->experiment->options(), command->typed);
    add_common_options(*sub, session);
    group_options(*sub, command->experiment->options());
    sub->callback([command, &session] { run_audit(*command, session); });
  }
}

}  // namespace graphveil::cli
