#include "graphveil/run/train.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/base/error.h"
#include "graphveil/base/progress.h"
#include "graphveil/base/resources.h"
#include "graphveil/graph/partition.h"
#include "graphveil/method/other_noise.h"
#include "graphveil/run/class_weights.h"
#include "graphveil/run/feasible.h"
#include "graphveil/run/finite.h"
#include "graphveil/run/on_ranks.h"
#include "graphveil/run/tune.h"

namespace graphveil::run {
namespace {

nn::MeanInterval over_repeats(const std::vector<Evaluation>& evaluations, double Evaluation::*number) {
  std::vector<double> values;
  for (const Evaluation& evaluation : evaluations) values.push_back(evaluation.*number);
  return nn::mean_interval(values);
}

// Where every repeat has one.
std::optional<nn::MeanInterval> area_over_repeats(const std::vector<Evaluation>& evaluations) {
  std::vector<double> areas;
  for (const Evaluation& evaluation : evaluations) {
    if (!evaluation.roc_auc) return std::nullopt;
    areas.push_back(*evaluation.roc_auc);
  }
  return nn::mean_interval(areas);
}

// `call`, but only the first time.
std::function<void()> once(const std::function<void()>& call) {
  if (!call) return nullptr;
  return [call, called = std::make_shared<bool>(false)] {
    if (!std::exchange(*called, true)) call();
  };
}

// The accuracy of what the method predicted with other noise, by noise.
std::map<std::string, double> with_other_noise(const Parts& parts, const method::Output& output) {
  std::map<std::string, double> out;
  for (const auto& [name, tensor] : output.sums.private_value()) {
    if (!name.starts_with(method::kOtherNoise)) continue;
    Matrix probabilities(tensor.shape.at(0), tensor.shape.at(1));
    nn::read_matrix(output.sums.private_value(), name, probabilities);
    out[name.substr(std::string_view(method::kOtherNoise).size())] = evaluate(parts, probabilities).test_accuracy;
  }
  return out;
}

}  // namespace

namespace {

// One training on the parts of this process: all of them, or a rank's own, of which rank 0 then has everybody's.
Trained train_parts(const Prepared& prepared, const Parts& parts, const Seed& seed, const Keeping& keeping) {
  Ranks* const ranks = current_ranks();
  if (ranks == nullptr) return train_once(prepared, parts, seed, keeping);
  const int64_t places = places_per_cut(prepared, std::ssize(parts.split.train));
  OwnPart own = own_part(*ranks, prepared.experiment->method(), parts.data, parts.split, places);
  const graph::Graph graph = own.data.graph;
  Parts mine = parts;
  mine.data = std::move(own.data);
  mine.split = std::move(own.split);
  Trained trained = train_once(prepared, mine, seed, keeping);
  // Predictions about a public graph, which all ranks have, are whole on each of them.
  if (!parts.public_graph) bring_together(*ranks, *graph.partition(), trained.output);
  return trained;
}

// Rank 0 asks the budget book, and may be told no, before anybody draws noise.
void wait_for_leave() {
  if (current_ranks() != nullptr) meet(*current_ranks());
}

}  // namespace

void train_beside(const Experiment& experiment, const InputData& input) {
  check_feasible(experiment, input);
  const Seed seed = shared_seed(run_seed(experiment.settings())).derived("repeat 0");
  const bound::Relation relation = chosen_relation(experiment, input.data.graph.symmetric());
  check_given_weights(experiment.settings(), input.data);
  const Parts parts = make_parts(experiment, input, seed.derived("split"));
  const Prepared prepared = prepare(experiment, relation, public_facts(parts, input));
  agree_on(prepared);
  wait_for_leave();
  train_parts(prepared, parts, seed, {});
}

Seed run_seed(const Settings& settings) {
  return settings.seed ? Seed::from_number(static_cast<uint64_t>(*settings.seed)) : Seed::from_system();
}

TrainOutcome train(const Experiment& experiment, const InputData& input, const TrainHooks& hooks) {
  check_feasible(experiment, input);
  const Settings& settings = experiment.settings();
  const Seed seed = shared_seed(hooks.seed ? *hooks.seed : run_seed(settings));
  const bound::Relation relation = chosen_relation(experiment, input.data.graph.symmetric());
  std::optional<Prepared> prepared;
  std::optional<TrainOutcome> outcome;
  std::optional<Progress> progress;
  if (settings.repeats > 1) progress.emplace("repeats", settings.repeats);
  require(settings.metric != Metric::RocAuc || input.data.classes == 2,
          "--metric is roc-auc, which wants two classes; the data have {}", input.data.classes);
  check_given_weights(settings, input.data);
  for (int64_t r = 0; r < settings.repeats; ++r) {
    const std::string name = fmt::format("repeat {}", r);
    const Seed repeat_seed = seed.derived(name);
    Parts parts = make_parts(experiment, input, repeat_seed.derived("split"));
    if (!prepared) {
      prepared = prepare(experiment, relation, public_facts(parts, input));
      agree_on(*prepared);
      if (hooks.planned) hooks.planned(*prepared);
      wait_for_leave();
    }
    prepared->before_noise = r == 0 ? once(hooks.before_noise) : nullptr;  // the others are not kept
    std::optional<TunedTraining> search;
    if (settings.tune) search = tune(*prepared, parts, repeat_seed);
    Trained trained =
        search ? std::move(search->trained) : train_parts(*prepared, parts, repeat_seed, {hooks.log, name});
    check_output(search ? search->prepared : *prepared, trained.output);
    Evaluation evaluation = evaluate(parts, method::values(trained.output.predictions));
    const double seconds = trained.seconds;
    const std::map<std::string, double> others = with_other_noise(parts, trained.output);
    if (!outcome) {
      const Timer timer;
      artifact::Certificate certificate = certify(search ? search->prepared : *prepared, trained.spent,
                                                  repeat_seed.reproducible(), origin_of(input.data));
      outcome.emplace(TrainOutcome{.certificate = std::move(certificate),
                                   .evaluations = {},
                                   .seconds = {},
                                   .calibration_seconds = prepared->seconds,
                                   .certificate_seconds = 0,
                                   .test_accuracy = {},
                                   .val_accuracy = {},
                                   .macro_f1 = {},
                                   .weighted_f1 = {},
                                   .balanced_accuracy = {},
                                   .test_roc_auc = {},
                                   .test_nodes = static_cast<int64_t>(parts.evaluated_split.test.size()),
                                   .val_nodes = static_cast<int64_t>(parts.evaluated_split.val.size()),
                                   .trained = std::move(trained),
                                   .predicted_ids = std::move(parts.evaluated_ids),
                                   .ids = parts.evaluated.ids,
                                   .class_names = parts.evaluated.class_names,
                                   .book = {},
                                   .schema = input.data.schema,
                                   .tuned = search ? std::move(search->experiment) : nullptr,
                                   .other_noise = {},
                                   .later = {},
                                   .trials = {}});
      outcome->later = later_predictions(search ? search->prepared : *prepared, outcome->certificate);
      outcome->certificate_seconds = timer.seconds();
    }
    if (search) outcome->trials.push_back(std::move(search->trials));
    for (const auto& [noise, accuracy] : others) outcome->other_noise[noise].push_back(accuracy);
    outcome->evaluations.push_back(std::move(evaluation));
    outcome->seconds.push_back(seconds);
    if (progress) progress->advance();
  }
  outcome->test_accuracy = over_repeats(outcome->evaluations, &Evaluation::test_accuracy);
  outcome->val_accuracy = over_repeats(outcome->evaluations, &Evaluation::val_accuracy);
  outcome->macro_f1 = over_repeats(outcome->evaluations, &Evaluation::macro_f1);
  outcome->weighted_f1 = over_repeats(outcome->evaluations, &Evaluation::weighted_f1);
  outcome->balanced_accuracy = over_repeats(outcome->evaluations, &Evaluation::balanced_accuracy);
  outcome->test_roc_auc = area_over_repeats(outcome->evaluations);
  return std::move(*outcome);
}

}  // namespace graphveil::run
