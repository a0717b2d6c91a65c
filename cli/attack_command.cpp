// graphveil attack: what an outsider learns about members and links from what a method gives out.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cli/attack_files.h"
#include "cli/budget_option.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/method_options.h"
#include "graphveil/attack/allowed_roc.h"
#include "graphveil/attack/links.h"
#include "graphveil/attack/lira.h"
#include "graphveil/attack/membership.h"
#include "graphveil/attack/timing.h"
#include "graphveil/attack/training_audit.h"
#include "graphveil/base/error.h"
#include "graphveil/files/atomic_file.h"
#include "graphveil/files/format.h"
#include "graphveil/graph/subgraph.h"
#include "graphveil/method/registry.h"
#include "graphveil/run/train.h"

namespace graphveil::cli {
namespace {

using attack::RocSummary;
using nlohmann::ordered_json;

struct AttackCommand {
  std::string attack, method;
  std::unique_ptr<run::Experiment> experiment;
  TypedOptions typed;
  std::string data_path, target = "year", config_path, preset = "default", out_path;
  int64_t shadow_per_class = 1000, models = 32, pairs = 2000, sources = 32, degree = 16;
  std::optional<int64_t> shots, candidates;
  bool one_model = false;
  int64_t others = 1;  // for each member
  BudgetOption budget;
  bool quick = false;  // everything small, whatever else was given

  void shorten() {
    for (const auto& [name, value] : experiment->method().quick({})) experiment->set(name, value);
    shadow_per_class = std::min<int64_t>(shadow_per_class, 20);
    models = pairs = sources = 8;
  }
};

ordered_json interval_json(const nn::MeanInterval& interval) {
  ordered_json ci95 = nullptr;
  if (interval.low) ci95 = {*interval.low, *interval.high};
  return {{"mean", interval.mean}, {"std", interval.std}, {"ci95", ci95}};
}

// With the curves for a file, without them for people's eyes.
ordered_json roc_json(const RocSummary& summary, bool curves) {
  ordered_json out{{"auc", interval_json(summary.auc)},
                   {"tpr_at_1_percent_fpr", interval_json(summary.tpr_at_1_percent)},
                   {"tpr_at_0.1_percent_fpr", interval_json(summary.tpr_at_01_percent)},
                   {"repeats", summary.repeats.size()}};
  out["auc"]["values"] = ordered_json::array();
  for (const attack::Roc& roc : summary.repeats) out["auc"]["values"].push_back(roc.auc);
  if (!curves) return out;
  out["roc"] = ordered_json::array();
  for (const attack::Roc& roc : summary.repeats) {
    ordered_json fpr = ordered_json::array(), tpr = ordered_json::array();
    for (const attack::RocPoint& point : roc.curve) {
      fpr.push_back(point.false_positives);
      tpr.push_back(point.true_positives);
    }
    out["roc"].push_back({{"fpr", fpr}, {"tpr", tpr}});
  }
  return out;
}

std::string interval_text(const nn::MeanInterval& interval) {
  if (!interval.low) return fmt::format("{:.3f}", interval.mean);
  return fmt::format("{:.3f} ± {:.3f}", interval.mean, (*interval.high - *interval.low) / 2);
}

std::string roc_text(const char* what, const RocSummary& summary) {
  return fmt::format("{:<24} AUC {}   TPR at 1% FPR {}   at 0.1% {}\n", what, interval_text(summary.auc),
                     interval_text(summary.tpr_at_1_percent), interval_text(summary.tpr_at_01_percent));
}

// The guarantee that speaks of what an attack on members asks. None where nothing is proven; where less than the node
// is hidden; and for links: joined nodes resemble each other, which tells of links without any edge having been read.
struct Promise {
  double epsilon, delta;
  int64_t protect_degree;
};
std::optional<Promise> promise_of(const AttackCommand& command, bool symmetric, int64_t nodes) {
  const run::Experiment& experiment = *command.experiment;
  const run::Settings& settings = experiment.settings();
  if (experiment.method().relations().empty() || settings.accounting != run::Accounting::Tight ||
      settings.noise_multiplier || command.attack == "links" ||
      run::chosen_relation(experiment, symmetric) != bound::Relation::Node) {
    return std::nullopt;
  }
  // The fewer the nodes, the larger the automatic delta, and the more is allowed.
  const double automatic = run::power_of_digits(std::max<int64_t>(nodes, 1));
  return Promise{settings.epsilon, settings.delta.value_or(automatic), settings.protect_degree};
}

struct Found {
  std::vector<std::pair<std::string, const RocSummary*>> curves;
  ordered_json more = ordered_json::object();
  std::string text;
  bool symmetric = false;
  int64_t nodes = 1;  // of the graph that a model was trained on, at least
};

void show(const AttackCommand& command, const Found& found, const Session& session) {
  ordered_json object{{"attack", command.attack}, {"method", command.method}};
  const run::Settings& settings = command.experiment->settings();
  object["epsilon"] =
      command.experiment->method().relations().empty() ? ordered_json(nullptr) : ordered_json(settings.epsilon);
  object.update(found.more);
  ordered_json file = object;
  std::string text;
  for (const auto& [name, summary] : found.curves) {
    object[name] = roc_json(*summary, false);
    file[name] = roc_json(*summary, true);
    text += roc_text(name.c_str(), *summary);
  }
  if (const auto promise = promise_of(command, found.symmetric, found.nodes)) {
    const double epsilon = promise->epsilon, delta = promise->delta;
    const double area = attack::allowed_auc(epsilon, delta), at_1 = attack::allowed_tpr(0.01, epsilon, delta),
                 at_01 = attack::allowed_tpr(0.001, epsilon, delta);
    for (ordered_json* each : {&object, &file}) {
      (*each)["relation"] = bound::name(bound::Relation::Node);
      (*each)["protect_degree"] = promise->protect_degree;
      (*each)["delta"] = delta;
      (*each)["allowed"] = {
          {"largest_auc", area}, {"largest_tpr_at_1_percent_fpr", at_1}, {"largest_tpr_at_0.1_percent_fpr", at_01}};
    }
    text += fmt::format(
        "{:<24} AUC {:.3f}           TPR at 1% FPR {:.3f}           at 0.1% {:.3f}\n  at epsilon {:g}, delta {:g}: the "
        "most that whoever sees only what the guarantee covers can reach, against nodes of degree {} at the most\n",
        "allowed", area, at_1, at_01, epsilon, delta, promise->protect_degree);
  }
  if (!command.out_path.empty()) {
    files::AtomicFile out(command.out_path);
    const std::string whole = file.dump(1) + "\n";
    out.write(std::as_bytes(std::span(whole)));
    out.commit(0600);
    object["out"] = command.out_path;
  }
  print_result(session, object, text + found.text);
}

// Some nodes of the data, where it is large.
graph::Dataset some_of(const graph::Dataset& data, const std::optional<int64_t>& candidates, const Seed& seed) {
  if (!candidates || *candidates >= data.nodes()) return data;
  RandomStream random(seed, "candidates");
  std::vector<int32_t> nodes;
  for (const int64_t v : random.sample_without_replacement(data.nodes(), *candidates)) {
    nodes.push_back(static_cast<int32_t>(v));
  }
  return graph::induced_subgraph(data, nodes);
}

// Where a method wants a public graph, the nodes that are no candidates are it.
attack::Candidates lira_candidates(const AttackCommand& command, const graph::Dataset& data, const Seed& seed) {
  if (!command.experiment->method().wants_public_graph())
    return {some_of(data, command.candidates, seed), std::nullopt};
  const int64_t count = command.candidates.value_or(data.nodes() / 2);
  require(count >= 2 && count < data.nodes(), "--candidates is {}, want 2 to {}", count, data.nodes() - 1);
  RandomStream random(seed, "candidates");
  std::vector<int32_t> chosen, rest;
  std::vector<bool> in(static_cast<size_t>(data.nodes()), false);
  for (const int64_t v : random.sample_without_replacement(data.nodes(), count)) in[static_cast<size_t>(v)] = true;
  for (int32_t v = 0; v < data.nodes(); ++v) (in[static_cast<size_t>(v)] ? chosen : rest).push_back(v);
  return {graph::induced_subgraph(data, chosen), graph::induced_subgraph(data, rest)};
}

void run_timing(const AttackCommand& command, const graph::Dataset& data, int64_t repeats, const Seed& seed,
                const Session& session) {
  const run::Experiment& experiment = *command.experiment;
  const run::InputData input{data, std::nullopt};
  const run::Parts parts = run::make_parts(experiment, input, seed.derived("split"));
  const run::Prepared prepared = run::prepare(experiment, run::chosen_relation(experiment, data.graph.symmetric()),
                                              run::public_facts(parts, input));
  const attack::CanaryPair canary =
      attack::canary_pair(parts.data, attack::canary_node(parts),
                          std::min<int64_t>(command.degree, parts.data.nodes() - 1), bound::Relation::Node);
  const attack::TimingResult found = attack::timing_attack(prepared, parts, canary, repeats, seed);
  const auto both = [](const nn::MeanInterval& there, const nn::MeanInterval& blank) {
    return ordered_json{{"there", interval_json(there)}, {"blank", interval_json(blank)}};
  };
  print_result(session,
               {{"attack", "timing"},
                {"method", command.method},
                {"canary", canary.what},
                {"seconds", both(found.seconds_there, found.seconds_blank)},
                {"t", found.t},
                {"model_bytes", both(found.model_bytes_there, found.model_bytes_blank)},
                {"prediction_bytes", both(found.prediction_bytes_there, found.prediction_bytes_blank)}},
               fmt::format("with {}: {} s, model {:.0f} bytes, predictions {:.0f}\nwithout: {} s, model {:.0f} bytes, "
                           "predictions {:.0f}\nt of the times {:.2f} (beyond 3 a clock tells)\n",
                           canary.what, interval_text(found.seconds_there), found.model_bytes_there.mean,
                           found.prediction_bytes_there.mean, interval_text(found.seconds_blank),
                           found.model_bytes_blank.mean, found.prediction_bytes_blank.mean, found.t));
}

void run_attack(AttackCommand& command, const Session& session) {
  if (!command.out_path.empty() && std::filesystem::exists(command.out_path)) {
    fail(ErrorKind::Io, "{}: exists already; choose another file or remove it", command.out_path);
  }
  run::Experiment& experiment = *command.experiment;
  experiment.use_preset(command.preset);
  if (!command.config_path.empty()) {
    apply_config(command.config_path, experiment.options(),
                 [&](const std::string& name, const std::string& value) { experiment.set(name, value); });
  }
  for (const auto& [name, value] : command.typed) experiment.set(name, value);
  if (command.quick) command.shorten();
  require(!experiment.settings().tune, "--tune is for train: an attack trains one model after the other as they are");
  const graph::Dataset data = files::read_dataset(command.data_path, {files::facebook_target(command.target)});
  note_look(command.budget, command.data_path, "attack " + command.attack + " " + command.method, data);
  const Seed seed = run::run_seed(experiment.settings());
  const int64_t repeats = command.typed.contains("repeats") ? experiment.settings().repeats : 3;
  if (command.attack == "timing") {
    run_timing(command, data, command.typed.contains("repeats") ? repeats : 10, seed, session);
  } else if (command.attack == "membership") {
    const attack::MembershipResult result =
        attack::membership_attack(experiment, data, {command.shadow_per_class, command.one_model, repeats, seed});
    Found found{{{"members", &result.members}},
                {{"target_nodes", result.target_nodes},
                 {"shadow_nodes", result.shadow_nodes},
                 {"member_accuracy", interval_json(result.member_accuracy)},
                 {"other_accuracy", interval_json(result.other_accuracy)}},
                fmt::format("accuracy on members {}, on others {}; {} nodes attacked, shadow graph of {}\n",
                            interval_text(result.member_accuracy), interval_text(result.other_accuracy),
                            result.target_nodes, result.shadow_nodes),
                data.graph.symmetric(),
                std::min(result.target_nodes, data.nodes())};
    if (result.labeled) found.curves.emplace_back("labeled public nodes", &*result.labeled);
    show(command, found, session);
  } else if (command.attack == "lira") {
    const attack::LiraResult result = attack::lira_attack(experiment, lira_candidates(command, data, seed),
                                                          {command.models, command.shots, seed, command.others});
    show(command,
         {{{"members", &result.members}},
          {{"models", command.models}, {"candidates", result.candidates}},
          fmt::format("{} models, {} candidates\n", command.models, result.candidates),
          data.graph.symmetric(),
          result.candidates / 2},
         session);
  } else {
    const attack::LinkResult result =
        attack::link_attack(experiment, data, {command.pairs, command.sources, repeats, seed});
    show(command,
         {{{"similarity", &result.similarity},
           {"similarity, one class", &result.similarity_within_class},
           {"influence", &result.influence}},
          ordered_json::object(),
          "",
          data.graph.symmetric(),
          data.nodes()},
         session);
  }
}

void add_method_attack(CLI::App& attack, const std::string& name, const std::string& help, Session& session) {
  CLI::App* group = attack.add_subcommand(name, help);
  group->require_subcommand(1);
  for (const std::string& method : method::method_names()) {
    auto command = std::make_shared<AttackCommand>();
    command->attack = name;
    command->method = method;
    command->experiment = std::make_unique<run::Experiment>(method);
    if (name == "links" && command->experiment->method().wants_public_graph()) continue;
    CLI::App* sub = group->add_subcommand(method, command->experiment->method().describe().releases);
    sub->add_option("--data", command->data_path, "Graph: file or folder, see docs/formats.md")->required();
    sub->add_option("--target", command->target, "Facebook100: the column to predict")->capture_default_str();
    if (name == "membership") {
      sub->add_option("--shadow-per-class", command->shadow_per_class,
                      "Nodes of each class in the adversary's own graph, at most half of them")
          ->check(CLI::Range(2, 1'000'000'000))
          ->capture_default_str();
      sub->add_flag(
          "--one-model", command->one_model,
          "As GAP's authors attack: one model, trained on two fifths of --shadow-per-class nodes of each class; "
          "the attack is told who is a member for six in ten of those and of as many others");
    } else if (name == "lira") {
      sub->add_option("--models", command->models, "Models, each attacked with all the others as shadows")
          ->check(CLI::Range(8, 100'000))
          ->capture_default_str();
      sub->add_option("--members-per-class", command->shots, "Members of each class; default: half of the candidates")
          ->check(CLI::Range(1, 1'000'000));
      sub->add_option("--others-per-member", command->others,
                      "With --members-per-class: candidates of a class that are no members, for each that is")
          ->check(CLI::Range(1, 1'000'000))
          ->capture_default_str();
      sub->add_option("--candidates", command->candidates,
                      "Nodes that may be members; default: all, or half of them "
                      "where the others are the public graph")
          ->check(CLI::Range(2, 1'000'000'000));
    } else if (name == "timing") {
      sub->add_option("--degree", command->degree, "Of the node that is there or blank")
          ->check(CLI::Range(0, 1'000'000))
          ->capture_default_str();
    } else {
      sub->add_option("--pairs", command->pairs, "Joined pairs to find among as many others")
          ->check(CLI::Range(1, 100'000'000))
          ->capture_default_str();
      sub->add_option("--probes", command->sources, "Nodes whose features are changed to see whom that moves")
          ->check(CLI::Range(1, 1'000'000))
          ->capture_default_str();
    }
    sub->add_option("--config", command->config_path, "TOML file of options; the command line wins over it");
    sub->add_option("--preset", command->preset, "default: ours. paper: the paper's settings")->capture_default_str();
    add_budget_option(*sub, command->budget);
    sub->add_flag("--quick", command->quick, "Try the command out in seconds: small models, few of them");
    sub->add_option("-o,--out", command->out_path, "JSON file for the ROC curves; must not exist");
    add_method_options(*sub, command->experiment->options(), command->typed);
    add_common_options(*sub, session);
    group_options(*sub, command->experiment->options());
    sub->callback([command, &session] { run_attack(*command, session); });
  }
}

}  // namespace

void add_attack_command(CLI::App& app, Session& session, bool whole) {
  CLI::App* attack = app.add_subcommand(
      "attack",
      "Attack a method or a run as an outsider would. For example: graphveil attack membership gap-inf --data G; "
      "graphveil attack forge runs/first");
  attack->require_subcommand(1);
  if (!whole) return;
  add_method_attack(*attack, "membership",
                    "Who trained the model, by shadow models; for example: graphveil attack "
                    "membership mlp --data G --epochs 500",
                    session);
  add_method_attack(
      *attack, "lira",
      "Who trained the model, by likelihood ratios; for example: graphveil attack lira gap-ndp --data G -e 4", session);
  add_method_attack(*attack, "links",
                    "Which nodes are joined, by similar predictions and by influence; for example: graphveil attack "
                    "links gap-edp --data G -e 1",
                    session);
  add_method_attack(*attack, "timing",
                    "Running time and file sizes with and without one node; for example: graphveil attack timing "
                    "gap-ndp --data G",
                    session);
  add_file_attacks(*attack, session);
}

}  // namespace graphveil::cli
