#include "graphveil/run/receive.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "graphveil/artifact/layout.h"
#include "graphveil/artifact/predictions_csv.h"
#include "graphveil/artifact/read_file.h"
#include "graphveil/artifact/safetensors.h"
#include "graphveil/base/error.h"
#include "graphveil/run/ask.h"
#include "graphveil/run/finite.h"
#include "graphveil/run/verify.h"

namespace graphveil::run {
namespace {

namespace fs = std::filesystem;

// Whom the rows of this graph's predictions would be about.
std::vector<std::string> ids_of(const graph::Dataset& data) {
  if (!data.ids.empty()) return data.ids.list();
  std::vector<std::string> out;
  for (int64_t v = 0; v < data.nodes(); ++v) out.push_back(std::to_string(v));
  return out;
}

// The published predictions, where they are about these ids.
std::optional<std::string> published_about(const std::string& folder, const graph::Dataset& data) {
  const std::string path = (fs::path(folder) / artifact::kPredictions).string();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  std::string csv = artifact::read_text(path);
  if (artifact::prediction_ids(csv) != ids_of(data)) return std::nullopt;
  return csv;
}

std::string where_published(const std::string& folder) {
  std::error_code ignored;
  return fs::exists(fs::path(folder) / artifact::kPredictions, ignored)
             ? fmt::format(". What it predicts about the graph it was trained on is published: {}/{}", folder,
                           artifact::kPredictions)
             : std::string();
}

}  // namespace

graph::Dataset fitted_to(const artifact::Certificate& c, const graph::Dataset& data) {
  const method::PublicFacts& facts = c.facts;
  if (data.features.cols() != facts.features) {
    fail(ErrorKind::BadInput, "the graph has {} features a node, the model was trained on {}", data.features.cols(),
         facts.features);
  }
  if (data.classes > facts.classes) {
    fail(ErrorKind::BadInput, "the graph has labels up to {}, the model knows {} classes", data.classes - 1,
         facts.classes);
  }
  const std::string schema = origin_of(data).schema_sha256;
  if (!c.schema_sha256.empty() && schema != c.schema_sha256) {
    fail(ErrorKind::BadInput, "the graph was imported {} the model's; import it with {}/{} of the run",
         schema.empty() ? "without a declared schema, so its columns may not be" : "with another schema than",
         artifact::part_of(c, mechanism::Audience::Public), artifact::kSchema);
  }
  graph::Dataset out = data;
  out.classes = facts.classes;
  if (!c.class_names.empty()) out.class_names = graph::Names(std::span<const std::string>(c.class_names));
  if (out.class_names.size() != out.classes) out.class_names = {};
  return out;
}

std::string model_path(const std::string& folder) {
  return (fs::path(certificate_path(folder)).parent_path() / artifact::kModel).string();
}

nn::State read_model(const std::string& folder) {
  const std::string path = model_path(folder);
  return artifact::from_safetensors(artifact::read_file(path), path);
}

bool is_release_alone(const std::string& folder) {
  std::error_code ignored;
  const fs::path place(folder);
  return fs::is_directory(place, ignored) && fs::exists(place / artifact::kCertificate, ignored) &&
         !fs::exists(place / artifact::kHolder, ignored);
}

Prediction predict_received(const std::string& folder, const graph::Dataset& received, const PredictOptions& options) {
  const Verdict verdict = verify_files(folder);
  const artifact::Certificate& c = verdict.certificate;
  if (!verdict.holds()) {
    fail(ErrorKind::BadInput, "{}: its certificate does not hold: {}", folder, fmt::join(verdict.reasons, "; "));
  }
  if (!c.releasable()) {
    fail(ErrorKind::BadInput,
         "{}: nothing of this run may leave ({}), so only whoever holds the whole run folder may predict with it",
         folder, fmt::join(c.not_releasable, "; "));
  }
  require(!options.disjoint && !options.total_epsilon && !options.joined,
          "{}: --disjoint, --joined and --total-epsilon are for whoever holds the whole run folder and its log; this "
          "is what was "
          "published of a run",
          folder);
  const std::unique_ptr<Experiment> experiment = Experiment::from(c);
  const Prepared prepared = prepared_as(*experiment, c);

  Prediction prediction;
  prediction.kind = PredictionKind::Received;
  prediction.relation = c.relation;
  prediction.delta = c.delta;
  prediction.epsilon = 0;
  prediction.epsilon_total = c.epsilon;
  if (!c.statements.empty()) prediction.degree = c.statements.front().degree;
  if (!asking_plan(prepared).empty()) {
    const std::optional<std::string> published = published_about(folder, received);
    if (!published) {
      fail(
          ErrorKind::Unsupported,
          "{}: predicting with {} sums over neighbors behind noise, and each time is written to holder/ of the run "
          "before "
          "it is drawn, so only whoever holds the whole run folder can do it; from what was published, predictions are "
          "free with methods whose models read no noisy sums, such as mlp-dp{}",
          folder, c.method, where_published(folder));
    }
    prediction.kind = PredictionKind::Stored;
    prediction.audience = mechanism::Audience::Public;
    prediction.csv = *published;
    prediction.rows = artifact::prediction_rows(*published);
    prediction.assumptions.emplace_back("this is the graph that was trained on: the ids are those of its predictions");
    return prediction;
  }
  const graph::Dataset data = experiment->method().prepare(fitted_to(c, received));
  const graph::Split split = labeled_nodes(data);
  const nn::State model = read_model(folder);
  check_parameters(model);
  mechanism::Release door = clear_door(prepared);
  method::Predictions made = ask(prepared, model, {data, split}, door, Seed::from_system());
  settle_rows(made);
  prediction.csv = artifact::predictions_csv(method::values(made), {data.ids, {}, data.class_names});
  prediction.rows = method::values(made).rows();
  return prediction;
}

}  // namespace graphveil::run
