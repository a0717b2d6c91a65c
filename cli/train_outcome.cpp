#include "cli/train_outcome.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/account/accountant.h"
#include "graphveil/account/tuned.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/resources.h"
#include "graphveil/report/write_run.h"
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

// A number over the repeats.
nlohmann::ordered_json interval_json(const nn::MeanInterval& interval, const std::vector<double>& values) {
  nlohmann::ordered_json ci95 = nullptr;
  if (interval.low) ci95 = {*interval.low, *interval.high};
  return {{"mean", interval.mean}, {"std", interval.std}, {"ci95", ci95}, {"values", values}};
}

// The same of an evaluation's number; null where it was not measured.
nlohmann::ordered_json interval_json(const run::TrainOutcome& outcome, const nn::MeanInterval& interval,
                                     double run::Evaluation::*number, bool measured) {
  if (!measured) return nullptr;
  std::vector<double> values;
  for (const run::Evaluation& evaluation : outcome.evaluations) values.push_back(evaluation.*number);
  return interval_json(interval, values);
}

// "test accuracy  81.3% (...)", with an interval over repeats.
std::string measured(const char* what, const nn::MeanInterval& a, size_t repeats) {
  std::string text = fmt::format("{:<14} {:.1f}% (yours to know: it reads private labels)", what, 100 * a.mean);
  if (a.low) {
    text += fmt::format(" (95% interval {:.1f} to {:.1f} over {} repeats; the first one's model is kept)", 100 * *a.low,
                        100 * *a.high, repeats);
  }
  return text;
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
  const bool tested = outcome.test_nodes > 0, validated = outcome.val_nodes > 0;
  object["test_accuracy"] = interval_json(outcome, outcome.test_accuracy, &run::Evaluation::test_accuracy, tested);
  object["val_accuracy"] = interval_json(outcome, outcome.val_accuracy, &run::Evaluation::val_accuracy, validated);
  object["macro_f1"] = interval_json(outcome, outcome.macro_f1, &run::Evaluation::macro_f1, tested);
  object["weighted_f1"] = interval_json(outcome, outcome.weighted_f1, &run::Evaluation::weighted_f1, tested);
  // Whose the numbers are that judge by labels: predictions and labels of everybody's are everybody's too.
  const bool everybody = c.valid() && bound::edge_level(c.relation) &&
                         method::audience(outcome.trained.output.predictions) == mechanism::Audience::Public;
  const auto judged = everybody ? mechanism::Audience::Public : mechanism::Audience::Holder;
  for (const char* name :
       {"test_accuracy", "val_accuracy", "macro_f1", "weighted_f1", "classes", "confusion", "test_roc_auc"}) {
    object["audience"][name] = mechanism::name(judged);
  }
  object["kept_repeat"] = 0;  // the model in the run folder; the next two speak of it
  object["classes"] = report::class_scores_json(outcome.evaluations.front(), outcome.class_names);
  object["confusion"] = outcome.evaluations.front().confusion;
  if (outcome.test_roc_auc) {
    std::vector<double> areas;
    for (const run::Evaluation& evaluation : outcome.evaluations) areas.push_back(*evaluation.roc_auc);
    object["test_roc_auc"] = interval_json(*outcome.test_roc_auc, areas);
  }
  for (const auto& [noise, accuracies] : outcome.other_noise) {
    object["other_noise"].push_back(
        {{"noise", noise}, {"test_accuracy", interval_json(nn::mean_interval(accuracies), accuracies)}});
    object["audience"]["other_noise"] = mechanism::name(mechanism::Audience::Holder);
  }
  // Of the kept repeat, like the two above.
  if (const auto& diagnostics = outcome.trained.output.diagnostics.private_value(); !diagnostics.empty()) {
    object["diagnostics"] = diagnostics;
    object["audience"]["diagnostics"] = mechanism::name(mechanism::Audience::Holder);
  }
  object["seconds"] = {{"load", load_seconds},
                       {"calibrate", outcome.calibration_seconds},
                       {"train", train_seconds},
                       {"total", load_seconds + train_seconds}};
  object["peak_memory_mb"] = static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0);
  object["out"] = out;
  return object;
}

std::string outcome_text(const run::TrainOutcome& outcome, run::Metric metric, const std::string& out) {
  const size_t repeats = outcome.evaluations.size();
  const bool area = outcome.test_roc_auc && metric != run::Metric::Accuracy;
  std::string text;
  if (metric != run::Metric::RocAuc || !area) {
    text = outcome.test_nodes > 0 ? measured("test accuracy", outcome.test_accuracy, repeats)
                                  : std::string("test accuracy  not measured: there are no test nodes");
  }
  if (area) text += (text.empty() ? "" : "\n") + measured("test ROC AUC", *outcome.test_roc_auc, repeats);
  if (outcome.tuned) {
    const nlohmann::ordered_json chosen = chosen_json(outcome);
    text += "\nchosen        ";
    for (const auto& [name, value] : chosen.items()) text += fmt::format(" --{} {}", name, value.get<std::string>());
  }
  text += answers_text(outcome);
  text += search_price(outcome.certificate);
  text += "\n" + artifact::in_words(outcome.certificate, !out.empty());
  text += out.empty()
              ? std::string("run folder     none: nothing was saved; --out FOLDER keeps model and certificate\n")
              : fmt::format("run folder     {}\n", out);
  return text;
}

}  // namespace graphveil::cli
