#include "cli/advise_command.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/help.h"
#include "graphveil/run/advise.h"

namespace graphveil::cli {
namespace {

using nlohmann::ordered_json;

struct AdviseOptions {
  int64_t nodes = 0, features = 0, public_pool = 0;
  int32_t classes = 0;
  std::optional<int64_t> train_nodes, max_degree;
  std::optional<double> mean_degree;
  double epsilon = 1;
  std::string relation = "node";
};

// Who may see predictions, in words.
std::string cover_text(const run::Advised& row) {
  switch (row.predictions.audience) {
    case mechanism::Audience::Public: return "model and predictions: everybody";
    case mechanism::Audience::Owner: return "model: everybody; a prediction: whom it is about";
    case mechanism::Audience::Holder: return "model: everybody; predictions: you alone";
  }
  return "";
}

std::string strength_text(const std::optional<double>& strength) {
  if (!strength) return "-";
  return std::isfinite(*strength) ? fmt::format("{:.2g}", *strength) : "no noise";
}

std::string row_text(const run::Advised& row) {
  if (!row.refused.empty()) return fmt::format("  {:<14} {}\n", row.method, row.refused);
  return fmt::format("  {:<14} {:>6} {:>9} {:>9}  {}\n", row.method,
                     row.noise > 0 ? fmt::format("{:.3g}", row.noise) : "none", strength_text(row.signals.features),
                     strength_text(row.signals.contacts), cover_text(row));
}

ordered_json strength_json(run::Signal signal, const std::optional<double>& strength) {
  if (!strength || !std::isfinite(*strength)) return nullptr;
  return {{"strength", *strength}, {"word", run::signal_word(signal, *strength)}};
}

ordered_json row_json(const run::Advised& row) {
  ordered_json object{{"method", row.method}};
  if (!row.refused.empty()) {
    object["refused"] = row.refused;
    return object;
  }
  object["noise_multiplier"] = row.noise;
  object["predictions_for"] = mechanism::name(row.predictions.audience);
  object["every_degree"] = row.every_degree;
  object["features"] = strength_json(run::Signal::Features, row.signals.features);
  object["contacts"] = strength_json(run::Signal::Contacts, row.signals.contacts);
  return object;
}

// What the strongest part of what `auto` takes comes to.
std::string outlook_text(const run::Advice& advice) {
  for (const run::Advised& row : advice.methods) {
    if (row.method != advice.choice.method || !row.refused.empty()) continue;
    const auto lost = [](run::Signal signal, const std::optional<double>& strength) {
      return !strength || *strength < run::drowned_below(signal);
    };
    if ((row.signals.features || row.signals.contacts) && lost(run::Signal::Features, row.signals.features) &&
        lost(run::Signal::Contacts, row.signals.contacts)) {
      return "All of it is drowned in noise: expect what always naming the most frequent class gives.";
    }
    return fmt::format("Its signal: {}.", run::signals_text(row.signals));
  }
  return "";
}

void run_advise(const AdviseOptions& options, const Session& session) {
  run::KnownFacts known;
  known.facts = {options.nodes, options.train_nodes.value_or(usual_train_nodes(options.nodes)), options.features,
                 options.classes, options.public_pool};
  known.mean_degree = options.mean_degree;
  known.max_degree = options.max_degree;
  known.epsilon = options.epsilon;
  known.relation = bound::relation_from_name(options.relation);
  const run::Advice advice = run::advise(known);

  const int64_t width = terminal_width();
  std::string text = wrapped(fmt::format("At epsilon {:g} under relation {}: {}.", options.epsilon, options.relation,
                                         bound::in_words(known.relation)),
                             width) +
                     "\n\n                         signal of  signal of\n  method          noise  features   contacts  "
                     "who may see what\n";
  ordered_json rows = ordered_json::array();
  for (const run::Advised& row : advice.methods) {
    rows.push_back(row_json(row));
    text += row_text(row);
  }
  text +=
      "\n" +
      wrapped(
          fmt::format("noise: standard deviation over what one {} can move, the largest of a method's releases. "
                      "signal: all that the training on features, or {:g} contacts of a person{}, could say if they "
                      "agreed, over their noise; below {} for features and {} for contacts that part says too little. "
                      "It tells whether there is anything "
                      "to learn from, not how well a method learns: try one with train --rehearse, which spends "
                      "nothing.",
                      bound::edge_level(known.relation) ? "edge" : "person", advice.mean_degree,
                      known.mean_degree ? "" : " (assumed)", run::drowned_below(run::Signal::Features),
                      run::drowned_below(run::Signal::Contacts)),
          width) +
      "\n\n" +
      wrapped(fmt::format("auto would take {}: {}. {}", advice.choice.method, advice.choice.why, outlook_text(advice)),
              width) +
      "\n\nWorth declaring, if it is public (never read it off the data):\n";
  ordered_json worth = ordered_json::array();
  for (const run::Worth& fact : advice.worth) {
    text += help_row(fact.option, fmt::format("{}; {}", fact.what, fact.gain), width);
    worth.push_back({{"option", fact.option}, {"what", fact.what}, {"gain", fact.gain}});
  }
  print_result(session,
               {{"relation", options.relation},
                {"epsilon", options.epsilon},
                {"methods", rows},
                {"auto", {{"method", advice.choice.method}, {"why", advice.choice.why}}},
                {"worth_declaring", worth}},
               text);
}

}  // namespace

void add_advise_command(CLI::App& app, Session& session) {
  auto options = std::make_shared<AdviseOptions>();
  CLI::App* sub = app.add_subcommand("advise", "Which method, relation and noise, from public numbers alone");
  sub->add_option("--nodes", options->nodes, "How many people (nodes) there are")
      ->required()
      ->check(CLI::Range(int64_t{2}, int64_t{2'000'000'000}));
  sub->add_option("--classes", options->classes, "How many classes are told apart")
      ->required()
      ->check(CLI::Range(2, 1'000'000));
  sub->add_option("--features", options->features, "How many feature columns there are")
      ->required()
      ->check(CLI::Range(int64_t{1}, int64_t{100'000'000}));
  sub->add_option("--train-nodes", options->train_nodes, "How many of them train (default: three quarters)")
      ->check(CLI::Range(int64_t{1}, int64_t{2'000'000'000}));
  sub->add_option("--mean-degree", options->mean_degree, "Contacts of a person on average, if that is public")
      ->check(CLI::Range(0.0, 1e9));
  sub->add_option("--max-degree", options->max_degree,
                  "The most contacts that anybody has by a public rule: train's --protect-degree")
      ->check(CLI::Range(int64_t{1}, int64_t{2'000'000'000}));
  sub->add_option("-e,--epsilon", options->epsilon, "Privacy budget")
      ->capture_default_str()
      ->check(CLI::Range(1e-6, 1e6));
  sub->add_option("--relation", options->relation, "What is protected: node, record, undirected-edge or edge")
      ->capture_default_str();
  sub->add_option("--public-pool", options->public_pool, "Nodes of a public graph of the same kind, where there is one")
      ->check(CLI::Range(int64_t{0}, int64_t{2'000'000'000}));
  add_common_options(*sub, session);
  sub->footer(
      "Example:\n  graphveil advise --nodes 20000 --classes 3 --features 40 --mean-degree 8 -e 2\n"
      "What to choose and what it costs: docs/howto/choose.md.");
  sub->callback([options, &session] { run_advise(*options, session); });
}

}  // namespace graphveil::cli
