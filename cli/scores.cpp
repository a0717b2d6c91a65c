#include "cli/scores.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graphveil/report/words.h"
#include "graphveil/report/write_run.h"

namespace graphveil::cli {
namespace {

constexpr size_t kClassesShown = 8;  // of the recalls; --json has all of them

nlohmann::ordered_json over_repeats(const nn::MeanInterval& interval, const std::vector<double>& values) {
  nlohmann::ordered_json ci95 = nullptr;
  if (interval.low) ci95 = {*interval.low, *interval.high};
  return {{"mean", interval.mean}, {"std", interval.std}, {"ci95", ci95}, {"values", values}};
}

// The same of an evaluation's number; null where it was not measured.
nlohmann::ordered_json over_repeats(const run::TrainOutcome& outcome, const nn::MeanInterval& interval,
                                    double run::Evaluation::*number, bool measured) {
  if (!measured) return nullptr;
  std::vector<double> values;
  for (const run::Evaluation& evaluation : outcome.evaluations) values.push_back(evaluation.*number);
  return over_repeats(interval, values);
}

// Whether labels and the predictions about them are everybody's, so that what judges one by the other is too.
bool scores_are_public(const run::TrainOutcome& outcome) {
  const artifact::Certificate& c = outcome.certificate;
  return c.valid() && bound::edge_level(c.relation) &&
         method::audience(outcome.trained.output.predictions) == mechanism::Audience::Public;
}

// Behind a figure: why it may not be told, if so.
std::string whose(const run::TrainOutcome& outcome) {
  if (scores_are_public(outcome)) return "";
  const artifact::Certificate& c = outcome.certificate;
  if (c.epsilon && bound::edge_level(c.relation)) return " (yours to know: it reads edges in the clear)";
  return " (yours to know: it reads private labels)";
}

// "81.3%", with an interval over repeats.
std::string percent(const nn::MeanInterval& a, size_t repeats) {
  std::string text = fmt::format("{:.1f}%", 100 * a.mean);
  if (a.low) {
    text += fmt::format(" (95% interval {:.1f} to {:.1f} over {} repeats; the first one's model is kept)", 100 * *a.low,
                        100 * *a.high, repeats);
  }
  return text;
}

std::string score_line(const char* what, const std::string& figure, const std::string& whose_it_is) {
  return fmt::format("{:<14} {}{}\n", what, figure, whose_it_is);
}

// The recalls of the kept model, the worst first where there are many.
std::string recalls(const run::TrainOutcome& outcome) {
  const run::Evaluation& kept = outcome.evaluations.front();
  std::vector<int32_t> order;
  for (size_t k = 0; k < kept.classes.size(); ++k) {
    if (kept.classes[k].nodes > 0) order.push_back(static_cast<int32_t>(k));
  }
  const size_t all = order.size();
  if (all > kClassesShown) {
    std::ranges::stable_sort(order, {}, [&](int32_t k) { return kept.classes[static_cast<size_t>(k)].recall; });
    order.resize(kClassesShown);
  }
  std::string text;
  for (const int32_t k : order) {
    text += fmt::format("{}{} {:.1f}%", text.empty() ? "" : ", ", report::class_called(outcome, k),
                        100 * kept.classes[static_cast<size_t>(k)].recall);
  }
  if (all > order.size()) text += fmt::format("; these are the lowest of {}, --json has all", all);
  return text;
}

std::string never_said(const run::TrainOutcome& outcome) {
  const std::vector<int32_t> never = outcome.evaluations.front().never_predicted();
  std::string text;
  for (size_t i = 0; i < never.size() && i < kClassesShown; ++i) {
    text += (text.empty() ? "" : ", ") + report::class_called(outcome, never[i]);
  }
  if (never.size() > kClassesShown) text += fmt::format(" and {} more", never.size() - kClassesShown);
  return text;
}

}  // namespace

std::string scores_text(const run::TrainOutcome& outcome, run::Metric metric) {
  if (outcome.test_nodes == 0) return "test accuracy  not measured: there are no test nodes\n";
  using run::Metric;
  const size_t repeats = outcome.evaluations.size();
  const std::string own = whose(outcome);
  std::vector<std::pair<Metric, std::string>> figures{
      {Metric::Accuracy, score_line("test accuracy", percent(outcome.test_accuracy, repeats), own)},
      {Metric::F1, score_line("macro F1", percent(outcome.macro_f1, repeats), own)},
      {Metric::Balanced, score_line("balanced", percent(outcome.balanced_accuracy, repeats), own)}};
  if (outcome.test_roc_auc) {
    figures.insert(figures.begin() + 1,
                   {Metric::RocAuc, score_line("test ROC AUC", percent(*outcome.test_roc_auc, repeats), own)});
  }
  std::ranges::stable_sort(figures, {}, [&](const auto& figure) { return figure.first != metric; });
  std::string text;
  for (const auto& [name, line] : figures) text += line;
  const run::Evaluation& kept = outcome.evaluations.front();
  if (kept.majority) {
    text += score_line("majority",
                       fmt::format("{:.1f}% of the test nodes are '{}'", 100 * kept.majority->share,
                                   report::class_called(outcome, kept.majority->label)),
                       own);
  }
  text += score_line("recall", recalls(outcome), own);
  if (const std::string never = never_said(outcome); !never.empty()) text += score_line("never said", never, own);
  if (const std::string warning = report::majority_warning(outcome); !warning.empty()) {
    text += fmt::format("warning: {}{}\n", warning, own);
  }
  return text;
}

void add_scores(const run::TrainOutcome& outcome, nlohmann::ordered_json& object) {
  const bool tested = outcome.test_nodes > 0, validated = outcome.val_nodes > 0;
  object["test_accuracy"] = over_repeats(outcome, outcome.test_accuracy, &run::Evaluation::test_accuracy, tested);
  object["val_accuracy"] = over_repeats(outcome, outcome.val_accuracy, &run::Evaluation::val_accuracy, validated);
  object["macro_f1"] = over_repeats(outcome, outcome.macro_f1, &run::Evaluation::macro_f1, tested);
  object["weighted_f1"] = over_repeats(outcome, outcome.weighted_f1, &run::Evaluation::weighted_f1, tested);
  object["balanced_accuracy"] =
      over_repeats(outcome, outcome.balanced_accuracy, &run::Evaluation::balanced_accuracy, tested);
  // Whose the numbers are that judge by labels: predictions and labels of everybody's are everybody's too.
  const auto judged = scores_are_public(outcome) ? mechanism::Audience::Public : mechanism::Audience::Holder;
  for (const char* name : {"test_accuracy", "val_accuracy", "macro_f1", "weighted_f1", "balanced_accuracy", "majority",
                           "classes", "confusion", "test_roc_auc"}) {
    object["audience"][name] = mechanism::name(judged);
  }
  object["kept_repeat"] = 0;  // the model in the run folder; the next three speak of it
  const run::Evaluation& kept = outcome.evaluations.front();
  object["majority"] = nullptr;
  if (kept.majority) {
    object["majority"] = {{"class", report::class_called(outcome, kept.majority->label)},
                          {"share", kept.majority->share},
                          {"luck", kept.majority->luck},
                          {"beaten", kept.majority->beaten()}};
    if (const std::string warning = report::majority_warning(outcome); !warning.empty())
      object["majority"]["warning"] = warning;
  }
  object["classes"] = report::class_scores_json(kept, outcome.class_names);
  object["confusion"] = kept.confusion;
  if (outcome.test_roc_auc) {
    std::vector<double> areas;
    for (const run::Evaluation& evaluation : outcome.evaluations) areas.push_back(*evaluation.roc_auc);
    object["test_roc_auc"] = over_repeats(*outcome.test_roc_auc, areas);
  }
  for (const auto& [noise, accuracies] : outcome.other_noise) {
    object["other_noise"].push_back(
        {{"noise", noise}, {"test_accuracy", over_repeats(nn::mean_interval(accuracies), accuracies)}});
    object["audience"]["other_noise"] = mechanism::name(mechanism::Audience::Holder);
  }
}

}  // namespace graphveil::cli
