// graphveil predict: predictions of a trained model, for the training graph or another one.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/method_options.h"
#include "graphveil/base/error.h"
#include "graphveil/load/atomic_file.h"
#include "graphveil/load/format.h"
#include "graphveil/method/registry.h"
#include "graphveil/report/predict_run.h"
#include "graphveil/report/verify.h"

namespace graphveil::cli {
namespace {

struct PredictCommand {
  std::string folder, data_path, out_path, target = "year";
};

const char* kind_name(report::PredictionKind kind) {
  switch (kind) {
    case report::PredictionKind::Stored: return "stored";
    case report::PredictionKind::Free: return "free";
    case report::PredictionKind::Released: return "released";
    case report::PredictionKind::Raw: return "not covered";
  }
  return "";
}

void run_predict(const PredictCommand& command, const Session& session) {
  if (std::filesystem::exists(command.out_path)) {
    fail(ErrorKind::Io, "{}: exists already; choose another file or remove it", command.out_path);
  }
  const report::Certificate certificate = report::verify_run(command.folder).certificate;
  const std::unique_ptr<method::Method> method = method::make_method(certificate.method);
  report::TrainSettings settings;
  method::Options options;
  settings.declare(options, method->wants_public_graph());
  method->declare(options);
  apply_config(command.folder + "/config.toml", options);

  const graph::Dataset data = load::read_dataset(command.data_path, {load::facebook_target(command.target)});
  const report::Prediction prediction = report::predict(command.folder, *method, settings, data);
  load::AtomicFile file(command.out_path);
  file.write(std::as_bytes(std::span(prediction.csv)));
  file.commit();

  nlohmann::ordered_json object;
  object["kind"] = kind_name(prediction.kind);
  object["relation"] = bound::name(certificate.relation);
  object["epsilon"] = prediction.epsilon;
  object["graph_epsilon"] = prediction.graph_epsilon;
  object["with_training_epsilon"] = prediction.with_training;
  object["delta"] = prediction.delta;
  object["out"] = command.out_path;
  print_result(session, object, report::in_words(prediction) + fmt::format("predictions    {}\n", command.out_path));
}

}  // namespace

void add_predict_command(CLI::App& app, Session& session) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub = app.add_subcommand(
      "predict", "Predict with a trained model: free on the training graph, recorded and charged on another one");
  sub->add_option("folder", command->folder, "The run folder that `train --out` wrote")->required();
  sub->add_option("--data", command->data_path, "Graph: file or folder, see docs/formats.md")->required();
  sub->add_option("-o,--out", command->out_path, "CSV file to write; must not exist")->required();
  sub->add_option("--target", command->target, "Facebook100: the column to predict")->capture_default_str();
  add_common_options(*sub, session);
  sub->callback([command, &session] { run_predict(*command, session); });
}

}  // namespace graphveil::cli
