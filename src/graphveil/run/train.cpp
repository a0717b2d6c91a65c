#include "graphveil/run/train.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/resources.h"
#include "graphveil/learn/propagate.h"

namespace graphveil::run {
namespace {

// Why validation labels may pick the epoch, if they may.
std::optional<mechanism::PublicData> public_validation(const Prepared& prepared, const mechanism::Release& release) {
  if (prepared.experiment->settings().public_data == "val") {
    return mechanism::PublicData::declared(std::string(kPublicValidation));
  }
  if (!release.promises() || bound::edge_level(release.relation())) return mechanism::PublicData::under(release);
  return std::nullopt;
}

mechanism::Release open_release(const Prepared& prepared, const Seed& seed) {
  const bound::Relation relation = prepared.setting.relation;
  if (!prepared.is_private()) return mechanism::Release::clear(relation, prepared.plan);
  return mechanism::Release::open(relation, prepared.plan, {prepared.cap, prepared.delta}, seed.derived("noise"));
}

double accuracy_of(const Parts& parts, const std::vector<int32_t>& predicted, const std::vector<int32_t>& nodes,
                   double* f1) {
  std::vector<int32_t> p, y;
  for (const int32_t v : nodes) {
    p.push_back(predicted[v]);
    y.push_back(parts.evaluated.labels[v]);
  }
  if (f1 != nullptr) *f1 = nn::macro_f1(p, y, parts.evaluated.classes);
  return nn::accuracy(p, y);
}

// Of class 1 against class 0.
std::optional<double> roc_auc_of(const Parts& parts, const Matrix& probabilities) {
  if (parts.evaluated.classes != 2) return std::nullopt;
  std::vector<double> scores;
  std::vector<uint8_t> positive;
  for (const int32_t v : parts.evaluated_split.test) {
    const int32_t label = parts.evaluated.labels[v];
    if (label == graph::kUnlabeled) continue;
    scores.push_back(probabilities(v, 1));
    positive.push_back(label == 1);
  }
  const auto ones = std::count(positive.begin(), positive.end(), uint8_t{1});
  if (ones == 0 || ones == std::ssize(positive)) return std::nullopt;
  return nn::auc(scores, positive);
}

}  // namespace

Evaluation evaluate(const Parts& parts, const Matrix& probabilities) {
  const std::vector<int32_t> predicted = nn::predictions(probabilities);
  Evaluation out;
  out.test_accuracy = accuracy_of(parts, predicted, parts.evaluated_split.test, &out.macro_f1);
  out.val_accuracy = accuracy_of(parts, predicted, parts.evaluated_split.val, nullptr);
  out.train_accuracy = accuracy_of(parts, predicted, parts.evaluated_split.train, nullptr);
  out.roc_auc = roc_auc_of(parts, probabilities);
  return out;
}

Trained train_once(const Prepared& prepared, const Parts& parts, const Seed& seed, const Keeping& keeping) {
  const method::Method& method = prepared.experiment->method();
  const Settings& settings = prepared.experiment->settings();
  mechanism::Release release = open_release(prepared, seed);
  if (keeping.log != nullptr) release.keep(*keeping.log, keeping.training);
  method::Task task{.data = parts.data,
                    .split = parts.split,
                    .relation = prepared.setting.relation,
                    .protect_degree = prepared.setting.protect_degree,
                    .seed = seed.derived("training"),
                    .public_validation = public_validation(prepared, release),
                    .as_published = prepared.as_published()};
  if (parts.public_graph) task.public_graph.emplace(method::PublicGraph{*parts.public_graph, parts.evaluated_split});
  const Timer timer;
  method::Output output = method.run(task, release);
  if (!release.complete()) fail(ErrorKind::Internal, "the run spent less than its plan");
  if (settings.propagate > 0) {
    // Reads other nodes' rows in the clear.
    output.predictions =
        mechanism::Holder<Matrix>(learn::propagate(parts.evaluated.graph, method::values(output.predictions),
                                                   settings.propagate, settings.alpha, settings.propagated));
  }
  return {std::move(output), release.spent(), timer.seconds()};
}

Seed run_seed(const Settings& settings) {
  return settings.seed ? Seed::from_number(static_cast<uint64_t>(*settings.seed)) : Seed::from_system();
}

TrainOutcome train(const Experiment& experiment, const InputData& input, const TrainHooks& hooks) {
  const Settings& settings = experiment.settings();
  const Seed seed = hooks.seed ? *hooks.seed : run_seed(settings);
  const bound::Relation relation = chosen_relation(experiment, input.data.graph.symmetric());
  std::optional<Prepared> prepared;
  std::optional<TrainOutcome> outcome;
  std::optional<Progress> progress;
  if (settings.repeats > 1) progress.emplace("repeats", settings.repeats);
  require(settings.metric != Metric::RocAuc || input.data.classes == 2,
          "--metric is roc-auc, which wants two classes; the data have {}", input.data.classes);
  std::vector<double> accuracies, areas;
  for (int64_t r = 0; r < settings.repeats; ++r) {
    const std::string name = fmt::format("repeat {}", r);
    const Seed repeat_seed = seed.derived(name);
    Parts parts = make_parts(experiment, input, repeat_seed.derived("split"));
    if (!prepared) {
      prepared = prepare(experiment, relation, public_facts(parts, input));
      if (hooks.planned) hooks.planned(*prepared);
    }
    Trained trained = train_once(*prepared, parts, repeat_seed, {hooks.log, name});
    const Evaluation evaluation = evaluate(parts, method::values(trained.output.predictions));
    const double seconds = trained.seconds;
    if (!outcome) {
      Certificate certificate = certify(*prepared, trained.spent, repeat_seed.reproducible(), input.data.found_in_data);
      outcome.emplace(TrainOutcome{.certificate = std::move(certificate),
                                   .evaluations = {},
                                   .seconds = {},
                                   .calibration_seconds = prepared->seconds,
                                   .test_accuracy = {},
                                   .test_roc_auc = {},
                                   .test_nodes = static_cast<int64_t>(parts.evaluated_split.test.size()),
                                   .trained = std::move(trained),
                                   .predicted_ids = std::move(parts.evaluated_ids)});
    }
    outcome->evaluations.push_back(evaluation);
    outcome->seconds.push_back(seconds);
    accuracies.push_back(evaluation.test_accuracy);
    if (evaluation.roc_auc) areas.push_back(*evaluation.roc_auc);
    if (progress) progress->advance();
  }
  outcome->test_accuracy = nn::mean_interval(accuracies, Seed::from_number(0));
  if (areas.size() == accuracies.size()) outcome->test_roc_auc = nn::mean_interval(areas, Seed::from_number(0));
  return std::move(*outcome);
}

}  // namespace graphveil::run
