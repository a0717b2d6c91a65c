#include "cli/train_outcome.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/scores.h"
#include "graphveil/account/accountant.h"
#include "graphveil/account/tuned.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/resources.h"
#include "graphveil/run/search.h"

namespace graphveil::cli {
namespace {

nlohmann::ordered_json noise_json(const artifact::Certificate& certificate) {
  nlohmann::ordered_json noise = nlohmann::ordered_json::object();
  for (const mechanism::PlanLine& line : certificate.plan.lines()) {
    noise[line.event.label()] = mechanism::noise_scale(line);
  }
  return noise;
}

// The options that --tune chose for the model that is kept: public, as its config file is.
nlohmann::ordered_json chosen_json(const run::TrainOutcome& outcome) {
  nlohmann::ordered_json chosen = nlohmann::ordered_json::object();
  for (const method::Tunable& tunable : run::searched(*outcome.tuned, outcome.certificate.relation)) {
    chosen[tunable.option] = outcome.tuned->options().find(tunable.option)->text();
  }
  return chosen;
}

// What a charged search left for each training.
std::string search_price(const artifact::Certificate& certificate) {
  const std::optional<account::Trials>& trials = certificate.plan.trials();
  if (!trials) return "";
  account::Ledger one;
  for (const mechanism::PlanLine& line : certificate.plan.lines()) one.add(line.event);
  return fmt::format(
      "\nsearch         {:.3g} trainings on average, each with epsilon {:.3g}: without --tune it would be {}",
      account::mean_trials(*trials), account::spent_epsilon(one, certificate.delta),
      artifact::epsilon_text(certificate.epsilon));
}

// Of a method that answers only what many agree on: how much its student had to learn from.
std::string answers_text(const run::TrainOutcome& outcome) {
  const auto& diagnostics = outcome.trained.output.diagnostics.private_value();
  const auto asked = diagnostics.find("queries asked"), answered = diagnostics.find("queries answered");
  if (asked == diagnostics.end() || answered == diagnostics.end()) return "";
  const char* meaning = answered->second == 0
                            ? ": the student had nothing to learn from, and says one class of everybody"
                        : answered->second < asked->second / 4 ? ": the student had little to learn from"
                                                               : "";
  return fmt::format("\nanswers        {:.0f} of {:.0f} queries{} (yours to know)", answered->second, asked->second,
                     meaning);
}

const char* later_name(run::LaterPredictions::Kind kind) {
  switch (kind) {
    case run::LaterPredictions::Kind::NotCovered: return "not covered";
    case run::LaterPredictions::Kind::Free: return "free";
    case run::LaterPredictions::Kind::Charged: return "charged";
  }
  return "";
}

// What predictions on other graphs cost, and how many are paid for.
nlohmann::ordered_json later_json(const run::LaterPredictions& later) {
  nlohmann::ordered_json out{{"on_other_graphs", later_name(later.kind)}, {"reserved", later.reserved}};
  out["table"] = nlohmann::ordered_json::array();
  for (const run::LaterCost& row : later.table) {
    out["table"].push_back(
        {{"predictions", row.predictions},
         {"reserved", row.reserved},
         {"epsilon", row.epsilon ? nlohmann::ordered_json(*row.epsilon) : nlohmann::ordered_json(nullptr)}});
  }
  return out;
}

std::string later_text(const run::LaterPredictions& later) {
  if (later.kind == run::LaterPredictions::Kind::NotCovered) return "";
  if (later.kind == run::LaterPredictions::Kind::Free) {
    return "later          predictions about new people and on other graphs cost nothing\n";
  }
  if (later.reserved == 0) {
    return "later          a prediction on another graph is charged; --predictions N pays for N of them beforehand\n";
  }
  std::string text = fmt::format(
      "later          {} predictions on other graphs of the same people are paid for; with so many of them it costs\n"
      "               {:>11}  {:>8}\n",
      later.reserved, "predictions", "epsilon");
  for (const run::LaterCost& row : later.table) {
    text += fmt::format("               {:>11}  {:>8}  {}\n", row.predictions, artifact::epsilon_text(row.epsilon),
                        row.reserved ? "paid for" : "with --total-epsilon");
  }
  return text;
}

}  // namespace

nlohmann::ordered_json outcome_json(const run::TrainOutcome& outcome, double load_seconds, double train_seconds,
                                    const std::string& out) {
  const artifact::Certificate& c = outcome.certificate;
  const nlohmann::ordered_json document = to_json(c);
  nlohmann::ordered_json object;
  for (const char* name : {"method", "relation", "protect_degree", "accounting", "epsilon", "delta", "valid",
                           "releasable", "reasons", "not_releasable", "statements"}) {
    object[name] = document.at(name);
  }
  if (c.published_epsilon) object["published_epsilon"] = *c.published_epsilon;
  if (outcome.tuned) object["tuned"] = chosen_json(outcome);
  object["noise"] = noise_json(c);
  object["noise_multiplier"] = c.noise;
  add_scores(outcome, object);
  // Of the kept repeat.
  if (const auto& diagnostics = outcome.trained.output.diagnostics.private_value(); !diagnostics.empty()) {
    object["diagnostics"] = diagnostics;
    object["audience"]["diagnostics"] = mechanism::name(mechanism::Audience::Holder);
  }
  object["predictions"] = later_json(outcome.later);
  object["seconds"] = {{"load", load_seconds},
                       {"calibrate", outcome.calibration_seconds},
                       {"train", train_seconds},
                       {"certify", outcome.certificate_seconds},
                       {"total", load_seconds + train_seconds}};
  object["peak_memory_mb"] = static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0);
  object["out"] = out;
  return object;
}

std::string outcome_text(const run::TrainOutcome& outcome, run::Metric metric, const std::string& out) {
  std::string text = scores_text(outcome, metric);
  text.pop_back();
  if (outcome.tuned) {
    const nlohmann::ordered_json chosen = chosen_json(outcome);
    text += "\nchosen        ";
    for (const auto& [name, value] : chosen.items()) text += fmt::format(" --{} {}", name, value.get<std::string>());
  }
  text += answers_text(outcome);
  text += search_price(outcome.certificate);
  text += "\n" + artifact::in_words(outcome.certificate, !out.empty());
  text += later_text(outcome.later);
  text += out.empty()
              ? std::string("run folder     none: nothing was saved; --out FOLDER keeps model and certificate\n")
              : fmt::format("run folder     {}\n", out);
  return text;
}

}  // namespace graphveil::cli
