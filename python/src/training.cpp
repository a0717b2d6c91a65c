// Training and predicting, as the commands `train` and `predict` do it, on graphs in memory.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "cli/book_place.h"
#include "cli/budget_option.h"
#include "cli/train_outcome.h"
#include "graphveil/artifact/fingerprint.h"
#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/run_folder.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/artifact/signature.h"
#include "graphveil/artifact/words.h"
#include "graphveil/base/curves.h"
#include "graphveil/base/resources.h"
#include "graphveil/base/secret.h"
#include "graphveil/files/format.h"
#include "graphveil/report/curve_files.h"
#include "graphveil/report/write_run.h"
#include "graphveil/run/auto_choice.h"
#include "graphveil/run/predict.h"
#include "graphveil/run/train.h"
#include "graphveil/run/verify.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"

namespace graphveil::python {
namespace {

using nlohmann::ordered_json;
using Values = std::vector<std::pair<std::string, std::string>>;

// What a training is told besides its options.
struct TrainRequest {
  std::string method, preset;
  Values options;
  bool quick = false;
  std::string out, signing_key, book;  // empty: none
};

run::AutoExperiment made_experiment(const TrainRequest& request, const run::InputData& input) {
  if (request.method == "auto") {
    run::Settings settings;
    run::AutoWishes wishes;
    Options options;
    settings.declare(options);
    wishes.declare(options);
    for (const auto& [name, value] : request.options) options.set(name, value);
    return run::choose_experiment(wishes, options, input);
  }
  run::AutoExperiment out;
  out.experiment = std::make_unique<run::Experiment>(request.method);
  out.experiment->use_preset(request.preset);
  for (const auto& [name, value] : request.options) out.experiment->set(name, value);
  if (request.quick) {
    for (const auto& [name, value] : out.experiment->method().quick({})) out.experiment->set(name, value);
  }
  return out;
}

std::string trained(const TrainRequest& request, const run::InputData& input) {
  // Found out before the training rather than after it.
  SecretText key;
  if (!request.signing_key.empty()) {
    key = artifact::read_private_key(request.signing_key);
    artifact::sign(key.text(), "");
  }
  artifact::RunFolder folder(request.out);
  const run::AutoExperiment chosen = made_experiment(request, input);
  const run::Experiment& experiment = *chosen.experiment;
  std::optional<cli::BookPlace> place;
  if (!request.book.empty()) place.emplace(request.book, input, "");
  std::vector<std::string> warnings, outlook;
  run::TrainHooks hooks;
  hooks.planned = [&](const run::Prepared& prepared) {
    outlook = experiment.method().outlook(prepared.plan, prepared.setting);
    warnings = experiment.method().drowned(prepared.plan, prepared.setting);
    if (!place) return;
    place->reserve(prepared, experiment.settings().seed.has_value());
    if (experiment.settings().repeats > 1) place->note("other trainings beside it, for their accuracy (repeats)");
  };
  hooks.before_noise = [&] {
    if (place) place->draw();
  };
  const Timer timer;
  CurveRecorder curves;
  std::optional<CurveScope> listening(std::in_place, curves);
  run::TrainOutcome outcome = run::train(experiment, input, hooks);
  listening.reset();
  const double seconds = timer.seconds();
  if (place) place->mark(outcome);
  if (!curves.curves().empty()) {
    folder.write(artifact::kHolder, report::kCurves, report::curves_csv(curves.curves()));
  }
  report::write_run(folder, outcome, outcome.ran(experiment), artifact::fingerprint(input.data),
                    key.text().empty() ? nullptr : &key.text(), [&](const std::string& digest) {
                      if (place) place->spend(digest);
                    });
  ordered_json object = cli::outcome_json(outcome, 0, seconds, request.out);
  object["warnings"] = warnings;
  object["outlook"] = outlook;
  object["caveat"] = artifact::caveat(outcome.certificate.relation, input.data.graph.symmetric());
  object["words"] = artifact::in_words(outcome.certificate);
  if (!chosen.choice.method.empty()) object["why"] = chosen.choice.why;
  return object.dump();
}

std::string train(const std::string& method, const std::string& preset, const Values& options, bool quick,
                  const GraphHandle& data, const std::optional<GraphHandle>& public_data, const std::string& out,
                  const std::string& signing_key, const std::string& book, int threads, const nb::object& progress) {
  run::InputData input{*data.data, std::nullopt, files::largest_entity(data.entities)};
  if (public_data) input.public_data = *public_data->data;
  const TrainRequest request{method, preset, options, quick, out, signing_key, book};
  return driven(threads, progress, [&] { return trained(request, input); });
}

// The words of `predict --json`.
const char* kind_word(run::PredictionKind kind) {
  switch (kind) {
    case run::PredictionKind::Stored: return "stored";
    case run::PredictionKind::Free: return "free";
    case run::PredictionKind::Released: return "released";
    case run::PredictionKind::Raw: return "not covered";
    case run::PredictionKind::Received: break;
  }
  return "received";
}

using Predicted = std::tuple<std::string, std::string, nb::ndarray<nb::numpy, Real>>;

Predicted predict(const std::string& folder, const GraphHandle& data, std::optional<double> total_epsilon,
                  bool disjoint, bool joined, const std::string& book, int threads, const nb::object& progress) {
  run::PredictOptions options{total_epsilon, disjoint, book};
  options.joined = joined;
  options.largest_entity = files::largest_entity(data.entities);
  run::Prediction prediction = driven(threads, progress, [&] { return run::predict(folder, *data.data, options); });
  const auto number = [](const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); };
  const bool releasable = prediction.audience != mechanism::Audience::Holder && prediction.not_releasable.empty();
  ordered_json object = {
      {"kind", kind_word(prediction.kind)},
      {"audience", mechanism::name(prediction.audience)},
      {"relation", bound::name(prediction.relation)},
      {"epsilon_inference", number(prediction.epsilon)},
      {"epsilon_total", number(prediction.epsilon_total)},
      {"delta", prediction.delta},
      {"degree", prediction.degree ? ordered_json(*prediction.degree) : ordered_json()},
      {"releasable", releasable},
      {"assumptions", prediction.assumptions},
      {"not_releasable", prediction.not_releasable},
      {"rows", prediction.rows},
  };
  if (prediction.newcomers > 0) object["newcomers"] = prediction.newcomers;
  if (prediction.reserved_left) object["reserved_left"] = *prediction.reserved_left;
  Matrix probabilities = artifact::probabilities_from_csv(prediction.csv);
  return {object.dump(), std::move(prediction.csv), given(std::move(probabilities))};
}

// The predictions that a run folder came with: whose they are, the table, the numbers in it.
Predicted stored(const std::string& folder) {
  namespace fs = std::filesystem;
  // A draft may not leave, whatever it is of.
  const std::pair<const char*, const char*> places[] = {{artifact::kRelease, "public"},
                                                        {artifact::kOwners, "owner"},
                                                        {artifact::kHolder, "holder"},
                                                        {artifact::kDraft, "holder"}};
  for (const auto& [part, audience] : places) {
    const fs::path path = fs::path(folder) / part / artifact::kPredictions;
    if (!fs::exists(path)) continue;
    const bool draft = fs::exists(fs::path(folder) / artifact::kDraft);
    std::string csv = artifact::read_text(path.string());
    Matrix probabilities = artifact::probabilities_from_csv(csv);
    return {draft ? "holder" : audience, std::move(csv), given(std::move(probabilities))};
  }
  fail(ErrorKind::BadInput, "{}: there are no predictions in it", folder);
}

}  // namespace

void bind_training(nb::module_& m) {
  m.def("train", &train, nb::arg("method"), nb::arg("preset"), nb::arg("options"), nb::arg("quick"), nb::arg("data"),
        nb::arg("public_data").none(), nb::arg("out"), nb::arg("signing_key"), nb::arg("book"), nb::arg("threads"),
        nb::arg("progress").none());
  m.def("predict", &predict, nb::arg("folder"), nb::arg("data"), nb::arg("total_epsilon").none(), nb::arg("disjoint"),
        nb::arg("joined"), nb::arg("book"), nb::arg("threads"), nb::arg("progress").none());
  m.def("stored_predictions", &stored, nb::arg("folder"));
  // The budget book that a training on the graph of this path finds by itself; None: there is none.
  m.def(
      "find_book", [](const std::string& path) { return cli::find_book({}, path); }, nb::arg("path"));
  // The one that a run was trained under, where it lay then.
  m.def("kept_book", &cli::kept_book, nb::arg("folder"));
}

}  // namespace graphveil::python
